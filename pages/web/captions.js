// Captions, or other things with a name, in rows, each with a few values beside it; a click or Enter opens one.
export default function (component) {
  const memo = begin(component, build);
  const { data } = memo;
  const drawn = JSON.stringify([data.lead, data.heads, data.rows]);
  if (drawn === memo.drawn) return;
  memo.drawn = drawn;
  const names = el("tr", "names");
  for (const column of [data.lead || "caption", ...data.heads]) {
    const cell = el("th", "", column);
    cell.scope = "col";
    names.append(cell);
  }
  memo.head.replaceChildren(names);
  memo.body.replaceChildren(...data.rows.map((row) => line(memo, row)));
}

function build(host) {
  const memo = { host };
  const scroll = el("div", "scroll");
  const table = el("table", "captions");
  memo.head = table.createTHead();
  memo.body = table.createTBody();
  scroll.append(table);
  host.append(scroll);
  return memo;
}

function line(memo, row) {
  const tr = el("tr", "open");
  const text = el("td", "said");
  const caption = el("span", "text", row.caption);
  caption.dir = "auto";
  text.append(caption);
  if (row.note) text.append(el("small", "", row.note));
  opener(text, memo, { op: "open", id: row.id });
  text.tabIndex = 0;
  text.onkeydown = (event) => { if (event.key === "Enter") text.onclick(); };
  text.title = memo.data.hint || "open in Inspect";
  tr.onclick = (event) => { if (!text.contains(event.target)) text.onclick(); };
  tr.append(text, ...row.values.map((value) => el("td", "number", value)));
  return tr;
}
