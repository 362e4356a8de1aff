// The Table-2 grid: a caption a row, a metric a column; each cell its score and its change against the candidate.
export default function (component) {
  const memo = begin(component, component.data, build);
  memo.host.style.setProperty("--columns", memo.data.columns.length);
  head(memo);
  body(memo);
  return follow(memo, 4000);
}

function build(host) {
  const memo = { host, rows: new Map() };
  const scroll = el("div", "scroll wide");
  memo.table = el("table", "grid");
  memo.columns = el("colgroup");
  memo.table.append(memo.columns);
  memo.head = memo.table.createTHead();
  memo.body = memo.table.createTBody();
  scroll.append(memo.table);
  const foot = el("div", "foot");
  memo.status = el("span", "status");
  const field = adder("+ type a row of your own", "add a row", (typed) =>
    send(memo, memo.component, { op: "add", texts: [typed] }));
  foot.append(field, memo.status);
  host.append(scroll, foot);
  return memo;
}

function head(memo) {
  const { data } = memo;
  const drawn = JSON.stringify([data.groups, data.columns, data.open[1]]);
  if (drawn === memo.headDrawn) return;
  memo.headDrawn = drawn;
  const first = el("col", "first");
  memo.columns.replaceChildren(first, ...data.columns.map(() => el("col")));
  const groups = el("tr", "groups");
  groups.append(el("th", "lead"));
  for (const group of data.groups) {
    const cell = el("th", "", group.name);
    cell.colSpan = group.span;
    cell.scope = "colgroup";
    cell.style.setProperty("--hue", group.colour);
    groups.append(cell);
  }
  const names = el("tr", "names");
  names.append(el("th", "lead", "score, and its change against the candidate"));
  for (const column of data.columns) {
    const cell = el("th", column.key === data.open[1] ? "open" : "");
    cell.scope = "col";
    cell.style.setProperty("--hue", column.colour);
    const name = el("span", "name", column.label);
    name.title = column.tip;
    cell.append(name);
    if (column.badge) {
      const badge = el("span", "badge", "≈");
      badge.title = column.badge;
      cell.append(badge);
    }
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
      const typing = parts && parts.node.firstChild.contains(memo.host.getRootNode().activeElement);
      const node = rowNode(memo, row);
      if (typing) parts.node.replaceChildren(parts.node.firstChild, ...[...node.children].slice(1));
      parts = { node: typing ? parts.node : node, drawn: typing ? "" : drawn };
      memo.rows.set(row.id, parts);
    }
    return parts.node;
  });
  for (const id of memo.rows.keys()) if (!alive.has(id)) memo.rows.delete(id);
  order.push(...data.missing.map((one) => missingNode(one, data.columns.length)));
  order.forEach((node, place) => {
    if (memo.body.children[place] !== node) memo.body.insertBefore(node, memo.body.children[place] || null);
  });
  while (memo.body.children.length > order.length) memo.body.lastChild.remove();
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
    const remove = el("button", "remove", "×");
    remove.title = "remove this row";
    remove.setAttribute("aria-label", `remove the row ${row.label}`);
    remove.onclick = () => send(memo, memo.component, { op: "remove", id: row.id });
    label.append(remove);
  }
  const text = el("span", "text");
  marked(text, row);
  editable(text, row.text, `caption of the row ${row.label}`, (typed) => {
    if (typed) send(memo, memo.component, { op: "edit", id: row.id, texts: [typed] });
    else marked(text, row);
  });
  text.addEventListener("blur", () => { if (text.textContent === row.text) marked(text, row); });
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
  td.append(el("div", "value", cell.t));
  if (cell.state === "wait") return td;
  td.title = cell.tip;
  if (cell.shade) td.style.background = cell.shade;
  if (cell.c) td.append(el("div", "change", cell.c));
  if (cell.paper) td.append(el("div", "paper", `paper ${cell.paper}`));
  td.classList.toggle("open", memo.data.open[0] === row.id && memo.data.open[1] === column.key);
  td.tabIndex = 0;
  td.setAttribute("role", "button");
  td.setAttribute("aria-label", `${row.label}, ${column.label} ${cell.t} ${cell.c || ""}: show the evidence`);
  const open = () => send(memo, memo.component, { op: "open", id: row.id, key: column.key });
  td.onclick = open;
  td.onkeydown = (event) => { if (event.key === "Enter") open(); };
  return td;
}

function missingNode(one, columns) {
  const tr = el("tr", "missing");
  const td = el("td");
  td.colSpan = columns + 1;
  td.append(el("b", "", one.label), document.createTextNode(one.reason === "…" ? " …" : ` cannot be made: ${one.reason}`));
  tr.append(td);
  return tr;
}
