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

// The memory of a component that is called with new data.
function begin(component, data, build) {
  const memo = memory(component.parentElement, build);
  memo.component = component;
  memo.data = data;
  acknowledge(memo, data.ack);
  colours(memo.host, data.palette);
  return memo;
}

// Shows the status and asks again until the last score is in; the server answers as soon as it has one more. A question
// that comes while it answers would make it start over, so the next one waits for the answer, or for long enough.
function follow(memo, patience) {
  const { component, data } = memo;
  memo.status.textContent = data.status;
  memo.status.classList.toggle("busy", data.pending);
  memo.host.dataset.pending = data.pending ? "yes" : "no";
  clearTimeout(memo.timer);
  const ask = () => {
    component.setStateValue("poll", Date.now());
    memo.timer = setTimeout(ask, patience);
  };
  if (data.pending) memo.timer = setTimeout(ask, 20);
  return () => clearTimeout(memo.timer);
}

// Events are numbered and sent again until the server has seen them: two quick edits cannot swallow each other.
function send(memo, component, event) {
  const last = Math.max(memo.ack || 0, memo.number || 0);
  memo.number = last + 1;
  memo.events = (memo.events || []).filter((one) => one.n > (memo.ack || 0));
  memo.events.push({ ...event, n: memo.number });
  component.setStateValue("events", memo.events);
}

function acknowledge(memo, ack) {
  memo.ack = ack;
  memo.events = (memo.events || []).filter((one) => one.n > ack);
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
