// The references, numbered and edited in place, and what people mention in them.
export default function (component) {
  const memo = begin(component, build);
  list(memo);
  mentions(memo);
}

function build(host) {
  const memo = { host };
  memo.list = el("ol");
  memo.field = adder("+ add a reference, or paste several", "add a reference", (typed) =>
    change(memo, { op: "add reference", texts: [typed] }));
  memo.title = el("h4", "", "What people mention");
  memo.chips = el("div", "chips");
  memo.hint = el("p", "hint");
  host.append(el("h4", "", "References"), memo.list, memo.field, memo.title, memo.chips, memo.hint);
  return memo;
}

// Scores against other references are other scores: the table is told at once.
function change(memo, event) {
  window.dispatchEvent(new CustomEvent(REFERENCES, { detail: send(memo, memo.component, event) }));
}

function list(memo) {
  const { references } = memo.data;
  const drawn = JSON.stringify(references);
  if (drawn === memo.listDrawn || memo.list.contains(memo.host.getRootNode().activeElement)) return;
  memo.listDrawn = drawn;
  // What it was goes along: an edit of a list that the server has changed meanwhile is not made.
  const edit = (place, texts) => change(memo, { op: "edit reference", id: place, was: references[place], texts });
  memo.list.replaceChildren(...references.map((reference, place) => {
    const item = el("li");
    const text = el("span", "text", reference);
    editable(text, reference, `reference ${place + 1}`, (typed) => edit(place, typed ? [typed] : []));
    const remove = el("button", "remove", "×");
    remove.title = "remove this reference";
    remove.setAttribute("aria-label", `remove reference ${place + 1}`);
    remove.onclick = () => edit(place, []);
    item.append(text, remove);
    return item;
  }));
}

function mentions(memo) {
  const { concepts, concept, people, hint } = memo.data;
  memo.title.hidden = !concepts.length;
  memo.chips.replaceChildren(...concepts.map((one) => {
    const chip = el("button", "chip" + (one.stem === concept ? " on" : ""), one.word);
    chip.append(el("small", "", `${one.count}/${people}`));
    chip.style.setProperty("--share", one.count / people);
    chip.title = `${one.words}: ${one.count} of ${people} people; click to see which candidates have it`;
    chip.setAttribute("aria-pressed", one.stem === concept);
    chip.onclick = () => send(memo, memo.component, { op: "concept", texts: [one.stem] });
    return chip;
  }));
  memo.hint.textContent = hint;
}
