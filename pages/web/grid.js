// The Table-2 grid: one row per caption, one column per metric; each cell shows its score and its change against the candidate.
export default function (component) {
  const memo = begin(component, build);
  memo.host.style.setProperty("--columns", memo.data.columns.length);
  head(memo);
  redraw(memo, () => body(memo));
  return follow(memo, 4000);
}

function build(host) {
  const memo = frame(host, "grid", "+ type a row of your own", "add a row");
  roam(memo);
  return memo;
}

function head(memo) {
  const { data } = memo;
  const drawn = JSON.stringify([data.groups, data.columns, data.open[1]]);
  if (drawn === memo.headDrawn) return;
  memo.headDrawn = drawn;
  const first = el("col", "first");
  memo.widths.replaceChildren(first, ...data.columns.map(() => el("col")));
  const groups = groupRow(data.groups);
  groups.prepend(el("th", "lead"));
  const names = el("tr", "names");
  names.append(el("th", "lead", "score, and its change against the candidate"));
  for (const column of data.columns) {
    const cell = columnHead(column, el("span", "name", column.label));
    cell.classList.toggle("open", column.key === data.open[1]);
    names.append(cell);
  }
  memo.head.replaceChildren(groups, names);
}

function body(memo) {
  const { data } = memo;
  const alive = new Set();
  const order = data.rows.map((row) => {
    alive.add(row.id);
    const drawn = JSON.stringify([row, data.columns.map((one) => one.key), data.open[0] === row.id && data.open[1]]);
    let parts = memo.rows.get(row.id);
    if (!parts || parts.drawn !== drawn) {
      if (parts && unanswered(data, parts.awaits)) return parts.node;
      const typing = parts && parts.node.firstChild.contains(memo.host.getRootNode().activeElement);
      const node = rowNode(memo, row);
      if (typing) parts.node.replaceChildren(parts.node.firstChild, ...[...node.children].slice(1));
      parts = { node: typing ? parts.node : node, drawn: typing ? "" : drawn, awaits: ["ack", 0] };
      memo.rows.set(row.id, parts);
    }
    return parts.node;
  });
  order.push(...data.missing.map((one) => missingNode(one, data.columns.length)));
  arrange(memo, order, alive);
}

// The scores of a row whose text has changed; every change is measured against the rows that are not variants.
function blank(memo, row, number) {
  for (const [id, parts] of memo.rows) {
    if (row.variant && id !== row.id) continue;
    parts.drawn = "";
    parts.awaits = ["ack", number];
    outdate(memo, [...parts.node.querySelectorAll("td")], number);
  }
}

function rowNode(memo, row) {
  const tr = el("tr", row.variant ? "variant" : "fixed");
  tr.dataset.row = row.id;
  const lead = el("th", "lead");
  lead.scope = "row";
  const label = el("div", "label");
  const note = el("i", "", row.note);
  note.title = row.note;
  label.append(el("b", "", row.label), note);
  if (row.variant) {
    label.append(remover(memo, row, "remove this row", `remove the row ${row.label}`));
  }
  const text = captionField(memo, row, row.text, `caption of the row ${row.label}`, marked, (number) => blank(memo, row, number));
  lead.append(label, text);
  tr.append(lead);
  row.cells.forEach((cell, place) => tr.append(scoreCell(memo, row, cell, memo.data.columns[place])));
  return tr;
}

function marked(node, row) {
  node.replaceChildren(...row.pieces.map(([text, mark]) => (mark ? el("mark", "", text) : document.createTextNode(text))));
}

function scoreCell(memo, row, cell, column) {
  const td = el("td", cell.state);
  td.dataset.key = column.key;
  const value = el("div", "value", cell.t);
  if (cell.doubt) value.append(el("span", "badge", "!"));
  td.append(value);
  if (cell.state === "wait") return td;
  td.title = cell.tip;
  if (cell.shade) td.style.background = cell.shade;
  if (cell.c) td.append(el("div", "change", cell.c));
  if (cell.unfit) td.append(el("div", "paper", "not fit"));
  if (cell.paper) td.append(el("div", "paper", `paper ${cell.paper}`));
  td.classList.toggle("open", memo.data.open[0] === row.id && memo.data.open[1] === column.key);
  opener(td, memo, { op: "open", id: row.id, key: column.key });
  return td;
}

function missingNode(one, columns) {
  const tr = el("tr", "missing");
  const td = el("td");
  td.colSpan = columns + 1;
  const said = el("div", "said"); // read without scrolling, however wide the table is
  said.append(el("b", "", one.label), document.createTextNode(one.reason === "…" ? " …" : ` cannot be made: ${one.reason}`));
  td.append(said);
  tr.append(td);
  return tr;
}
