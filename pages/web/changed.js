// The changed captions of a data set: one row each, with its scores and how far they moved; a click opens one in Inspect.
export default function (component) {
  const memo = begin(component, build);
  const { data } = memo;
  memo.host.style.setProperty("--columns", data.columns.length);
  const groups = groupRow(data.groups);
  groups.prepend(el("th", "lead"));
  const names = el("tr", "names");
  names.append(el("th", "lead", "score, and its change against the caption as it was"));
  for (const column of data.columns) names.append(columnHead(column, el("span", "name", column.label)));
  memo.head.replaceChildren(groups, names);
  memo.widths.replaceChildren(el("col", "first"), ...data.columns.map(() => el("col")));
  memo.body.replaceChildren(...data.rows.map((row) => rowNode(memo, row)));
}

function build(host) {
  const memo = { host };
  const scroll = el("div", "scroll of-changed");
  scroll.tabIndex = 0; // what scrolls can be scrolled by keys
  scroll.setAttribute("role", "group");
  scroll.setAttribute("aria-label", "changed captions");
  const table = el("table", "changed");
  memo.widths = el("colgroup");
  table.append(memo.widths);
  memo.head = table.createTHead();
  memo.body = table.createTBody();
  scroll.append(table);
  host.append(scroll);
  return memo;
}

function rowNode(memo, row) {
  const tr = el("tr");
  tr.dataset.row = row.id;
  const lead = el("th", "lead");
  lead.scope = "row";
  const label = el("div", "label");
  const about = el("i", "", row.about);
  about.title = row.about;
  label.append(el("b", "", row.label), about);
  const open = el("button", "text");
  open.title = `${row.note}\nopen in Inspect`;
  open.setAttribute("aria-label", `open in Inspect: ${row.text}`);
  open.append(...row.pieces.map(([text, mark]) => (mark ? el("mark", "", text) : document.createTextNode(text))));
  open.onclick = () => send(memo, memo.component, { op: "open", id: row.id });
  lead.append(label, open, el("div", "was", row.was));
  tr.append(lead, ...row.cells.map((cell, place) => scoreCell(cell, memo.data.columns[place])));
  return tr;
}

function scoreCell(cell, column) {
  const td = el("td");
  td.dataset.key = column.key;
  td.title = cell.tip;
  if (cell.shade) td.style.background = cell.shade;
  td.append(el("div", "value", cell.t), el("div", "change", cell.c));
  if (cell.unfit) td.append(el("div", "paper", "not fit"));
  return td;
}
