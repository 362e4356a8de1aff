// Captions to rate, by number keys or buttons: nothing on the page says whose they are.
export default function (component) {
  const memo = begin(component, build);
  memo.sent = false; // an answer has come: the next key counts
  draw(memo);
  document.addEventListener("keydown", memo.keys);
  return () => document.removeEventListener("keydown", memo.keys);
}

function build(host) {
  const memo = { host };
  memo.keys = (event) => pressed(memo, event);
  memo.list = el("ol", "rate");
  memo.list.tabIndex = 0;
  memo.list.setAttribute("aria-label", "captions to rate");
  memo.help = el("p", "hint");
  memo.back = el("button", "act", "Undo");
  memo.back.onclick = () => tell(memo, { op: "undo" });
  memo.skip = el("button", "act", "Skip");
  memo.skip.onclick = () => tell(memo, { op: "skip", task: memo.data.task });
  const foot = el("div", "acts");
  foot.append(memo.skip, memo.back, memo.help);
  host.append(memo.list, foot);
  return memo;
}

function tell(memo, event) {
  if (memo.sent) return; // a second key on the same caption, before the next one is here
  memo.sent = true;
  send(memo, memo.component, event);
}

function typing(event) {
  const at = event.composedPath()[0];
  return at.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(at.tagName || "");
}

function pressed(memo, event) {
  if (event.ctrlKey || event.altKey || event.metaKey || event.repeat || typing(event)) return;
  const { task, keys, undo } = memo.data;
  const key = event.key.toLowerCase();
  if ((key === "u" || key === "backspace") && undo) tell(memo, { op: "undo" });
  else if (!task) return;
  else if (key === "s") tell(memo, { op: "skip", task });
  else if (key in keys) tell(memo, { op: "answer", task, value: keys[key] });
  else return;
  event.preventDefault();
}

function draw(memo) {
  const { data } = memo;
  memo.help.textContent = data.help;
  memo.back.disabled = !data.undo;
  memo.skip.disabled = !data.task;
  memo.list.classList.toggle("two", data.two);
  memo.list.replaceChildren(...data.captions.map((one) => caption(memo, one)));
  if (data.two && data.captions.length) memo.list.append(equal(memo));
}

function caption(memo, one) {
  const item = el("li", one.now ? "now" : "");
  if (one.now) item.setAttribute("aria-current", "true");
  const text = el("span", "text", one.caption);
  text.dir = "auto";
  const choices = el("span", "choices");
  choices.append(...one.choices.map((choice) => {
    const button = el("button", choice.chosen ? "chosen" : "", choice.label);
    button.setAttribute("aria-label", `${choice.label}: ${one.caption}`);
    button.setAttribute("aria-pressed", choice.chosen);
    button.onclick = () => tell(memo, { op: "answer", task: one.task, value: choice.value });
    return button;
  }));
  if (one.skipped) choices.append(el("i", "", "skipped"));
  item.append(text, choices);
  return item;
}

function equal(memo) {
  const item = el("li", "equal"), button = el("button", "", "0  equally good");
  button.onclick = () => tell(memo, { op: "answer", task: memo.data.task, value: "tie" });
  item.append(button);
  return item;
}
