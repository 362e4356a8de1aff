// What the components use. User text only ever becomes text nodes, never HTML.
function el(tag, cls, text) {
  const node = document.createElement(tag);
  if (cls) node.className = cls;
  if (text !== undefined) node.textContent = text;
  return node;
}

// The component's own memory between calls; it hangs on the element Streamlit gives us.
function memory(parent, make) {
  const host = parent.querySelector(".root");
  host.memory = host.memory || make(host);
  return host.memory;
}

// The memory of a component that is called with new data (packed as text by web/component.py).
function begin(component, build) {
  const data = JSON.parse(component.data.packed);
  const memo = memory(component.parentElement, build);
  memo.component = component;
  memo.data = data;
  if (!memo.resends) window.addEventListener("capeval-back", (memo.resends = () => resend(memo)));
  acknowledge(memo, data.ack);
  colours(memo.host, data.palette);
  reachCharts();
  return memo;
}

// A chart that is wider than its place scrolls there (shell/layout.css): by keys too.
function reachCharts() {
  if (window.capevalCharts) return;
  let waiting = false;
  const look = () => {
    waiting = false;
    for (const one of document.querySelectorAll("[data-testid=stElementContainer]:has(> [data-testid=stFullScreenFrame] .stPlotlyChart)")) {
      if (one.scrollWidth > one.clientWidth && one.tabIndex < 0) one.tabIndex = 0;
    }
  };
  window.capevalCharts = new MutationObserver(() => {
    if (!waiting) requestAnimationFrame(look);
    waiting = true;
  });
  window.capevalCharts.observe(document.body, { childList: true, subtree: true });
}

// Shows the status and asks again until the last score is in; the server answers as soon as it has one more. A question
// that comes while it answers would make it start over, so the next one waits for the answer, or for long enough.
function follow(memo, patience) {
  const { component, data } = memo;
  const changed = Object.entries(memo.awaited || {}).some((one) => unanswered(data, one));
  showStatus(memo, changed ? SCORING : data.status, data.pending || changed);
  clearTimeout(memo.timer);
  const ask = () => {
    component.setStateValue("poll", Date.now());
    memo.timer = setTimeout(ask, patience);
  };
  if (data.pending) memo.timer = setTimeout(ask, 20);
  return () => clearTimeout(memo.timer);
}

function showStatus(memo, words, busy) {
  memo.status.textContent = words;
  memo.status.classList.toggle("busy", Boolean(busy));
  memo.host.dataset.pending = busy ? "yes" : "no";
}

// The visitor has changed a text: its old scores go at once, and stay away until the answer to that event is here:
// until the field `seen` of the data has reached its number.
const SCORING = "scoring the change";
const REFERENCES = "capeval-references"; // what the window is told when they change: the number of the event
const unanswered = (data, [seen, number]) => number > (data[seen] || 0);
function outdate(memo, cells, number, seen = "ack") {
  memo.awaited = { ...memo.awaited, [seen]: number };
  showStatus(memo, SCORING, true);
  for (const cell of cells) {
    const waiting = el("td", "wait");
    waiting.dataset.key = cell.dataset.key;
    waiting.append(el("div", "value"));
    cell.replaceWith(waiting);
  }
}

// Events are numbered and sent again until the server has seen them: two quick edits cannot swallow each other.
function send(memo, component, event) {
  const last = Math.max(memo.ack || 0, memo.number || 0);
  memo.number = last + 1;
  memo.events = (memo.events || []).filter((one) => one.n > (memo.ack || 0));
  memo.events.push({ ...event, n: memo.number });
  component.setStateValue("events", memo.events);
  return memo.number;
}

function acknowledge(memo, ack) {
  // A server that has seen less than it had once is another one, or has forgotten: what is on its way is not for it.
  if (ack < (memo.ack || 0)) Object.assign(memo, { events: [], number: ack, awaited: {} });
  memo.ack = ack;
  memo.events = (memo.events || []).filter((one) => one.n > ack);
}

// The server was gone and is back (keeper.js): what was done meanwhile is told again. The mark makes it other news.
function resend(memo) {
  if (!memo.host.isConnected || !(memo.events || []).length) return;
  memo.component.setStateValue("events", memo.events.map((one) => ({ ...one, again: Date.now() })));
}

// A line of text that is edited in place: Enter keeps, Escape gives up, leaving keeps.
function editable(node, text, label, commit) {
  node.contentEditable = "plaintext-only";
  node.spellcheck = false;
  node.dir = "auto";
  node.setAttribute("role", "textbox");
  node.setAttribute("aria-label", label);
  node.addEventListener("focus", () => { node.textContent = text; });
  node.addEventListener("keydown", (event) => {
    if (event.key === "Enter") { event.preventDefault(); node.blur(); }
    if (event.key === "Escape") { node.textContent = text; node.blur(); }
    event.stopPropagation();
  });
  node.addEventListener("blur", () => {
    const typed = node.innerText.replace(/\s+/g, " ").trim();
    if (typed !== text) commit(typed);
  });
}

// The field that adds: Enter sends, pasted lines become one caption each.
function adder(placeholder, label, commit) {
  const field = el("textarea", "add");
  field.rows = 1;
  field.placeholder = placeholder;
  field.setAttribute("aria-label", label);
  const take = () => {
    const typed = field.value.trim();
    field.value = "";
    if (typed) commit(typed);
  };
  field.addEventListener("keydown", (event) => {
    event.stopPropagation();
    if (event.key === "Enter" && !event.shiftKey) { event.preventDefault(); take(); }
  });
  field.addEventListener("paste", (event) => {
    const pasted = (event.clipboardData || { getData: () => "" }).getData("text");
    if (/\n\s*\S/.test(pasted)) { event.preventDefault(); field.value += pasted; take(); }
  });
  field.addEventListener("blur", take);
  return field;
}

function colours(host, palette) {
  for (const [name, value] of Object.entries(palette)) host.style.setProperty(`--${name}`, value);
}

// A table that scrolls, with a field below it that adds a row, and the status beside that.
function frame(host, look, placeholder, label) {
  const memo = { host, rows: new Map() };
  const scroll = el("div", look ? `scroll of-${look}` : "scroll");
  scroll.tabIndex = 0; // what scrolls can be scrolled by keys
  scroll.setAttribute("role", "group");
  scroll.setAttribute("aria-label", "scores");
  // A caption is read without scrolling, however wide the table is.
  new ResizeObserver(() => host.style.setProperty("--seen", `${scroll.clientWidth}px`)).observe(scroll);
  memo.table = el("table", look);
  memo.widths = el("colgroup");
  memo.table.append(memo.widths);
  memo.head = memo.table.createTHead();
  memo.body = memo.table.createTBody();
  scroll.append(memo.table);
  const foot = el("div", "foot");
  memo.status = el("span", "status");
  const add = (typed) => outdate(memo, [], send(memo, memo.component, { op: "add", texts: [typed] }));
  foot.append(adder(placeholder, label, add), memo.status);
  host.append(scroll, foot);
  return memo;
}

// The groups of metrics above their columns.
function groupRow(groups) {
  const row = el("tr", "groups");
  for (const group of groups) {
    const cell = el("th", "", group.name);
    cell.colSpan = group.span;
    cell.scope = "colgroup";
    cell.style.setProperty("--hue", group.colour);
    row.append(cell);
  }
  return row;
}

// A metric's column head: its name, a mark where something stands in for the paper's resource, one for other options.
function columnHead(column, name) {
  const cell = el("th");
  cell.scope = "col";
  cell.style.setProperty("--hue", column.colour);
  name.title = column.tip;
  cell.append(name);
  for (const [sign, said] of [["≈", column.badge], ["⚙", column.options && `not the default: ${column.options}`]]) {
    if (!said) continue;
    const badge = el("span", "badge", sign);
    badge.title = said;
    cell.append(badge);
  }
  return cell;
}

// Moving a row that is being edited would take the cursor away: touch the tree only where it differs.
function arrange(memo, order, alive) {
  for (const id of memo.rows.keys()) if (!alive.has(id)) memo.rows.delete(id);
  order.forEach((node, place) => {
    if (memo.body.children[place] !== node) memo.body.insertBefore(node, memo.body.children[place] || null);
  });
  while (memo.body.children.length > order.length) memo.body.lastChild.remove();
}

// A caption that is edited in place: `draw` shows it with its marks, an empty text gives up.
// `edited` gets the number of the event.
function captionField(memo, row, caption, label, draw, edited) {
  const text = el("span", "text");
  draw(text, row);
  editable(text, caption, label, (typed) => {
    if (typed) edited(send(memo, memo.component, { op: "edit", id: row.id, texts: [typed] }));
    else draw(text, row);
  });
  text.addEventListener("blur", () => { if (text.textContent === caption) draw(text, row); });
  return text;
}

function remover(memo, row, title, label) {
  const remove = el("button", "remove", "×");
  remove.title = title;
  remove.setAttribute("aria-label", label);
  remove.onclick = () => send(memo, memo.component, { op: "remove", id: row.id });
  return remove;
}

// A score that opens its evidence, by click or Enter. Enter also goes there, Escape comes back.
function opener(td, memo, event) {
  td.tabIndex = -1;
  td.setAttribute("role", "gridcell");
  td.onclick = () => send(memo, memo.component, event);
}

// One score of the table takes part in Tab; the arrow keys go on from there, as in a spreadsheet. `leads`: where the
// evidence stands on the page.
function roam(memo, leads) {
  memo.table.setAttribute("role", "grid");
  memo.body.addEventListener("focusin", ({ target }) => { if (target.matches(CELL)) remember(memo, target); });
  memo.body.addEventListener("keydown", (event) => {
    if (!event.target.matches(CELL)) return;
    if (event.key === "Enter") {
      event.target.onclick();
      if (leads) visit(document.querySelector(leads), () => focusCell(memo));
      return;
    }
    const next = neighbour(memo, event.target, event.key);
    if (!next) return;
    event.preventDefault();
    next.focus();
  });
}

const CELL = "td[role=gridcell][data-key]";

function neighbour(memo, cell, key) {
  const rows = [...memo.body.rows].map((row) => [...row.querySelectorAll(CELL)]).filter((row) => row.length);
  const row = rows.findIndex((one) => one.includes(cell));
  const place = rows[row].indexOf(cell);
  const last = rows[row].length - 1;
  const steps = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0], Home: [0, -place], End: [0, last - place] };
  return steps[key] && (rows[row + steps[key][0]] || [])[place + steps[key][1]];
}

function remember(memo, cell) {
  for (const one of memo.body.querySelectorAll(CELL)) one.tabIndex = one === cell ? 0 : -1;
  memo.at = [cell.parentElement.dataset.row, cell.dataset.key];
}

// The score the visitor was at, or the first.
function currentCell(memo) {
  const [row, key] = memo.at || [];
  const cells = [...memo.body.querySelectorAll(CELL)];
  return cells.find((one) => one.parentElement.dataset.row === row && one.dataset.key === key) || cells[0];
}

function focusCell(memo) {
  currentCell(memo)?.focus();
}

// Rows are drawn anew when their scores change: the visitor keeps the place.
function redraw(memo, draw) {
  const had = memo.host.getRootNode().activeElement?.matches(CELL);
  draw();
  const cell = currentCell(memo);
  if (cell) cell.tabIndex = 0;
  if (had) cell?.focus({ preventScroll: true });
}

// To another part of the page, until Escape leads back.
function visit(place, back) {
  if (!place) return;
  place.tabIndex = -1;
  place.style.outline = "none";
  place.focus();
  place.onkeydown = (event) => {
    if (event.key !== "Escape" || event.target.closest("[aria-expanded=true]")) return;
    place.onkeydown = null;
    back();
  };
}
