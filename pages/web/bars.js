// Error rates as bars, with an interval each and a tick for somebody else's rate. A click on one shows only its captions.
export default function (component) {
  const memo = begin(component, build);
  const drawn = JSON.stringify([memo.data.bars, memo.data.palette]);
  if (drawn === memo.drawn) return;
  memo.drawn = drawn;
  const had = memo.host.getRootNode().activeElement?.dataset.kind;
  const groups = new Map();
  for (const bar of memo.data.bars) {
    if (!groups.has(bar.group)) groups.set(bar.group, []);
    groups.get(bar.group).push(bar);
  }
  memo.place.replaceChildren(...[...groups].map(([name, bars]) => {
    const group = el("div", "group");
    group.append(el("h4", "", name), ...bars.map((bar) => barNode(memo, bar)));
    return group;
  }));
  if (had) memo.place.querySelector(`[data-kind=${had}]`)?.focus();
}

function build(host) {
  const memo = { host, place: el("div", "bars") };
  host.append(memo.place);
  return memo;
}

function barNode(memo, bar) {
  const row = el("button", bar.on ? "row on" : "row");
  row.dataset.kind = bar.id;
  row.title = `${bar.tip}\n${bar.on ? "click: all captions again" : "click: only these captions"}`;
  row.setAttribute("aria-pressed", bar.on);
  const track = el("span", "track");
  const part = (cls, from, to) => {
    const node = el("i", cls);
    node.style.left = `${100 * from}%`;
    if (to !== undefined) node.style.width = `${100 * (to - from)}%`;
    track.append(node);
  };
  part("rate", 0, bar.rate);
  part("span", bar.span[0], bar.span[1]);
  if (bar.other !== null) part("tick", bar.other);
  const sign = bar.worse ? "▲" : bar.better ? "▼" : "";
  const value = el("b", "", bar.value);
  if (sign) value.append(el("sup", bar.worse ? "worse" : "better", sign));
  row.append(el("span", "label", bar.label), track, value, el("small", "", bar.beside));
  row.onclick = () => send(memo, memo.component, { op: "kind", id: bar.id });
  return row;
}
