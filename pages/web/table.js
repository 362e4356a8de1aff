// The score table: one row per caption, one column per metric, values with bars against what people reach.
const rowKey = (data, row) => JSON.stringify([row, data.columns.map((one) => [one.key, one.low, one.high, one.band])]);

export default function (component) {
  const memo = begin(component, build);
  memo.sort = memo.sort || { key: memo.data.sort[0], turn: memo.data.sort[1] }; // as it was kept; then it is the table's own
  head(memo);
  redraw(memo, () => body(memo));
  return follow(memo, 3000);
}

function build(host) {
  const memo = frame(host, "", "+ add a candidate, or paste several lines", "add a candidate");
  roam(memo, ".st-key-inspect-views");
  skipTo(memo);
  const changed = ({ detail }) => {
    if (!host.isConnected) window.removeEventListener(REFERENCES, changed);
    else for (const parts of memo.rows.values()) blank(memo, parts, (column) => column.compares, detail, "references");
  };
  window.addEventListener(REFERENCES, changed);
  return memo;
}

// The first thing on the page that Tab reaches, unseen until then: it leads past the menus.
function skipTo(memo) {
  for (const old of document.querySelectorAll(".capeval-skip")) old.remove();
  const skip = el("button", "capeval-skip", "Skip to the candidates");
  skip.onclick = () => focusCell(memo);
  skip.onfocus = () => { if (!memo.host.isConnected) skip.remove(); };
  document.body.prepend(skip);
}

function head(memo) {
  const { data } = memo;
  const drawn = JSON.stringify([data.groups, data.columns, data.people, memo.sort, data.metric]);
  if (drawn === memo.headDrawn) return;
  memo.headDrawn = drawn;
  const names = el("tr", "names");
  const people = el("tr", "people");
  data.columns.forEach((column) => {
    const turn = memo.sort.key === column.key ? memo.sort.turn : 0;
    const button = el("button", "sort", column.label + (turn ? (turn > 0 ? " ▾" : " ▴") : ""));
    button.onclick = () => {
      memo.sort = { key: column.key, turn: turn === 0 ? 1 : turn === 1 ? -1 : 0 };
      send(memo, memo.component, { op: "sort", ...memo.sort });
      head(memo);
      redraw(memo, () => body(memo));
    };
    const cell = columnHead(column, button);
    cell.setAttribute("aria-sort", turn ? (turn > 0 ? "descending" : "ascending") : "none");
    cell.classList.toggle("open", column.key === data.metric);
    names.append(cell);
    const range = el("td", "", column.people);
    range.title = column.peopleTip;
    people.append(range);
  });
  const label = el("tr", "peopleLabel");
  const said = el("td", "", data.people);
  said.colSpan = Math.max(data.columns.length, 1);
  label.append(said);
  memo.head.replaceChildren(groupRow(data.groups), names, label, people);
  widths(memo);
}

// A column as wide as its name wants; where they do not all fit the table scrolls.
function widths(memo) {
  const last = memo.data.columns.length - 1;  // it ends with the table: a star or a + would be cut
  const wants = memo.data.columns.map((column, place) =>
    Math.max(6, column.label.length + (column.badge ? 1 : 0) + (column.options ? 1 : 0)) + (place === last ? 1 : 0));
  const total = wants.reduce((sum, one) => sum + one, 0);
  memo.widths.replaceChildren(...wants.map((one) => {
    const col = el("col");
    col.style.width = (100 * one) / total + "%";
    return col;
  }));
  memo.table.style.minWidth = `calc(${total} * var(--letter))`;
}

function sorted(memo) {
  const { data, sort } = memo;
  const place = data.columns.findIndex((column) => column.key === sort.key);
  if (place < 0 || !sort.turn) return data.rows;
  const sign = sort.turn * (data.columns[place].lower ? -1 : 1);
  const worth = (row) => (row.cells[place].v === null ? -Infinity : sign * row.cells[place].v);
  return [...data.rows].sort((a, b) => worth(b) - worth(a));
}

function body(memo) {
  const { data } = memo;
  const alive = new Set();
  const order = [];
  for (const row of sorted(memo)) {
    alive.add(row.id);
    let parts = memo.rows.get(row.id);
    const drawn = rowKey(data, row);
    if (!parts || (parts.drawn !== drawn && !unanswered(data, parts.awaits))) {
      const caption = captionRow(memo, row);
      const typing = parts && parts.caption.contains(memo.host.getRootNode().activeElement);
      parts = { caption: typing ? parts.caption : caption, scores: scoreRow(memo, row), drawn: typing ? "" : drawn };
      parts.awaits = ["ack", 0];
      memo.rows.set(row.id, parts);
    }
    order.push(parts.caption, parts.scores);
  }
  arrange(memo, order, alive);
}

// The scores of a row whose text, or whose references, the visitor has just changed.
function blank(memo, parts, which, number, seen) {
  parts.drawn = "";
  parts.awaits = [seen, number];
  const columns = new Set(memo.data.columns.filter(which).map((column) => column.key));
  outdate(memo, [...parts.scores.children].filter((cell) => columns.has(cell.dataset.key)), number, seen);
}

function captionRow(memo, row) {
  const tr = el("tr", "caption" + (row.chosen ? " chosen" : ""));
  const td = el("td");
  td.colSpan = Math.max(memo.data.columns.length, 1);
  const line = el("div", "line");
  const pick = el("button", "pick", row.chosen ? "●" : "○");
  pick.title = "show this caption's evidence below";
  pick.setAttribute("aria-pressed", row.chosen);
  pick.setAttribute("aria-label", `show the evidence of candidate ${row.number}`);
  pick.onclick = () => send(memo, memo.component, { op: "choose", id: row.id });
  const system = el("span", "system", row.system);
  system.dataset.empty = "captioner";
  editable(system, row.system, `captioner of candidate ${row.number}`, (typed) =>
    send(memo, memo.component, { op: "rename", id: row.id, texts: [typed] }));
  const text = captionField(memo, row, row.caption, `candidate ${row.number}`, marked, (number) =>
    blank(memo, memo.rows.get(row.id), () => true, number, "ack"));
  const remove = remover(memo, row, "remove this candidate", `remove candidate ${row.number}`);
  line.append(pick, text);
  if (row.has !== null) line.append(el("span", row.has ? "has" : "lacks", row.has ? "✓ has it" : "– lacks it"));
  line.append(system, remove);
  td.append(line);
  tr.append(td);
  return tr;
}

function marked(node, row) {
  node.replaceChildren();
  const wanted = new Set(row.words);
  for (const piece of row.caption.split(/([\p{L}\p{N}]+)/u)) {
    if (piece) node.append(wanted.has(piece.toLowerCase()) ? el("mark", "", piece) : document.createTextNode(piece));
  }
}

function scoreRow(memo, row) {
  const tr = el("tr", "scores" + (row.chosen ? " chosen" : ""));
  tr.dataset.row = row.id;
  row.cells.forEach((cell, place) => tr.append(scoreCell(memo, row, cell, memo.data.columns[place])));
  return tr;
}

function scoreCell(memo, row, cell, column) {
  const td = el("td", cell.state + (cell.best ? " best" : ""));
  td.style.setProperty("--hue", column.colour);
  td.dataset.key = column.key;
  const value = el("div", "value", cell.t);
  td.append(value);
  if (cell.state === "wait") return td;
  td.title = cell.tip;
  if (cell.doubt) value.append(el("span", "badge", "!"));
  const bar = el("div", "bar");
  const share = (number) => 100 * Math.min(Math.max((number - column.low) / (column.high - column.low || 1), 0), 1);
  if (column.band) {
    const band = el("i", "band");
    band.style.left = share(column.band[0]) + "%";
    band.style.width = share(column.band[1]) - share(column.band[0]) + "%";
    bar.append(band);
  }
  if (cell.v !== null) {
    const fill = el("b");
    fill.style.width = share(cell.v) + "%";
    bar.append(fill);
  }
  for (const edge of column.band || []) {
    const tick = el("u");
    tick.style.left = share(edge) + "%";
    bar.append(tick);
  }
  td.append(bar);
  const said = cell.best ? `${cell.t}, the best` : cell.t;
  td.setAttribute("aria-label", `${row.system || `candidate ${row.number}`}, ${column.label} ${said}: show the evidence`);
  opener(td, memo, { op: "choose", id: row.id, key: column.key });
  return td;
}
