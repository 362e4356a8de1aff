"""A visitor of the app: the one way in which tests touch a page or read from it.

Every act and every look waits first until the page has settled (watch.js): the script is idle, nothing it was asked
for is on its way, no copy of an element is left from the run before, nothing is pending. After an act it waits again.
So what a test finds is what a person would find who takes the time to look.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, Dialog, FloatRect, Locator

from pages.work import keeping
from tests.browser import places
from tests.browser.serving import Server

WATCH = Path(__file__).parent / "watch.js"
PATIENCE = 180_000  # ms; models load on the first visit, on a busy machine. A page that hangs fails all the same
REACH = 8_000  # ms; on a page that has settled a thing is there or it is not
SIZE = (1440, 1100)


@dataclass(frozen=True, slots=True)
class Control:
    """Something on the page that can be touched."""

    place: str
    kind: str
    name: str
    accepts: str = ""  # of a file chooser: the endings it lets through
    several: bool = False  # and whether it takes several files


class Visitor:
    def __init__(
        self,
        browser: Browser,
        server: Server,
        path: str = "",
        *,
        width: int = SIZE[0],
        height: int = SIZE[1],
        dark: bool = False,
    ) -> None:
        self.server = server
        self.outside: list[str] = []  # requests that left the app
        self.broken: list[str] = []  # errors of the page's own scripts
        self.asked: list[str] = []  # dialogs that opened
        self._page = browser.new_page(
            viewport={"width": width, "height": height}, color_scheme="dark" if dark else "light"
        )
        self._page.set_default_timeout(REACH)
        self._page.set_default_navigation_timeout(PATIENCE)
        self._page.add_init_script(path=WATCH)
        inside = (server.url, server.url.replace("http", "ws"), "data:", "blob:")
        self._page.on("request", lambda one: None if one.url.startswith(inside) else self.outside.append(one.url))
        self._page.on("pageerror", lambda error: self.broken.append(str(error)))
        self._page.on("dialog", self._dismiss)
        self.open(path)

    def _dismiss(self, dialog: Dialog) -> None:
        self.asked.append(dialog.message)
        dialog.dismiss()

    # Where to be

    def open(self, path: str = "") -> None:
        """A session of its own."""
        self._page.goto(self.server.url + path)
        self.settle()

    def reload(self, *, pending: bool = True) -> None:
        self._page.reload()
        self.settle(pending=pending)

    def back(self, *, pending: bool = True) -> None:
        self._page.go_back()
        self.settle(pending=pending)

    def forward(self, *, pending: bool = True) -> None:
        self._page.go_forward()
        self.settle(pending=pending)

    def undo(self, *, pending: bool = True) -> None:
        """By the keyboard; in a field it is the field's."""
        self.press("Control+z", pending=pending)

    def redo(self, *, pending: bool = True) -> None:
        self.press("Control+Shift+z", pending=pending)

    def press(self, key: str, *, pending: bool = True) -> None:
        self._rest(pending=pending)
        self._page.keyboard.press(key)
        self.settle(pending=pending)

    def settle(self, *, pending: bool = True) -> None:
        """Until the page has settled; also until its background work is done, unless told otherwise."""
        self._page.evaluate("([ms, pending]) => capeval.settled(ms, pending)", [PATIENCE, pending])

    def _rest(self, *, pending: bool = True) -> None:
        """Before an act or a look. An act settles the page when it is done: if nothing happened since, it still has."""
        self._page.evaluate("([ms, pending]) => capeval.still(ms, pending)", [PATIENCE, pending])

    def leave(self) -> None:
        self.check()
        self.shut()

    def shut(self) -> None:
        """The page, whatever it shows."""
        self._page.close()

    # What to do

    def click(self, place: str, *, pending: bool = True, force: bool = False) -> None:
        self._find(place, pending=pending).click(force=force)
        self.settle(pending=pending)

    def click_at(self, place: str) -> None:
        """In the middle of it, whatever lies there: a chart takes clicks itself."""
        found = self._find(place)
        found.scroll_into_view_if_needed()
        box = found.bounding_box()
        assert box, f"{place} is not to be seen"
        self._page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        self.settle()

    def fill(self, place: str, text: str, *, pending: bool = True) -> None:
        """Typed, and sent with Enter."""
        found = self._find(place, pending=pending)
        found.fill(text)
        found.press("Enter")
        self.settle(pending=pending)

    def enter(self, place: str, text: str, seen: str) -> list[str]:
        """Typed, and sent with Enter: the texts at `seen` (CSS) in that very moment, before any answer can be here."""
        found = self._find(place)
        found.fill(text)
        texts = found.evaluate(
            """(node, seen) => {
              node.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true }));
              const roots = [document, ...capeval.roots()];
              return roots.flatMap((root) => [...root.querySelectorAll(seen)]).map((one) => one.textContent);
            }""",
            seen,
        )
        self.settle()
        return list(texts)

    def press_on(self, place: str, key: str, *, pending: bool = True) -> None:
        self._find(place, pending=pending).press(key)
        self.settle(pending=pending)

    def hover(self, place: str) -> None:
        self._find(place).hover()
        self.settle()

    def choose(self, label: str, option: str) -> None:
        """An option of the list that opens under a field."""
        self.click(places.combobox(label))
        self.click(places.option(option))

    def upload(self, *files: Path, place: str = places.CHOOSER, pending: bool = True) -> None:
        self._find(place, pending=pending).set_input_files(list(files))
        self.settle(pending=pending)

    def open_data(self, *files: Path) -> None:
        """Files for all pages, through the data bar."""
        self.click(places.OPEN_DATA)
        self.upload(*files)
        self.click(places.USE_DATA)

    def close(self, *, pending: bool = True) -> None:
        """Whatever is open over the page."""
        self._rest(pending=pending)
        self._page.keyboard.press("Escape")
        self._page.mouse.click(5, SIZE[1] // 2)
        self.settle(pending=pending)

    def download(self, place: str) -> Path:
        found = self._find(place)
        with self._page.expect_download(timeout=PATIENCE) as waiting:
            found.click()
        self.settle()
        return Path(waiting.value.path())

    def controls(self) -> list[Control]:
        """All that can be touched now."""
        self._rest(pending=False)
        found = self._page.evaluate("capeval.controls()")
        return [Control(f'[data-walk="{one.pop("number")}"]', **one) for one in found]

    # While the page is at work, or the server gone: nothing settles then

    def watch(self, place: str) -> str:
        """What stands there, as soon as it does; the page may be at work."""
        found = self._page.locator(place).first
        found.wait_for(timeout=PATIENCE)
        return found.inner_text()

    def gone(self) -> str:
        """As soon as the page says so: what it says."""
        found = self._page.locator(places.GONE)
        found.wait_for(timeout=PATIENCE)
        return found.inner_text()

    def click_unheard(self, place: str) -> None:
        self._page.locator(place).click()

    def type_unheard(self, place: str, text: str) -> None:
        found = self._page.locator(place)
        found.fill(text)
        found.press("Enter")

    def sees_dialog(self) -> bool:
        return any(one.is_visible() for one in self._page.locator(f"{places.DIALOG}, [role=dialog]").all())

    def back_again(self) -> None:
        """As soon as the page has noticed that the server is back."""
        self._page.locator(places.GONE).wait_for(state="detached", timeout=PATIENCE)
        self.settle()

    # What to see

    def count(self, place: str) -> int:
        self._rest()
        return self._page.locator(place).count()

    def sees(self, place: str) -> bool:
        self._rest()
        found = self._page.locator(place)
        return found.count() > 0 and found.first.is_visible()

    def text(self, place: str) -> str:
        return self._find(place).inner_text()

    def texts(self, place: str, *, pending: bool = True) -> list[str]:
        self._rest(pending=pending)
        return self._page.locator(place).all_inner_texts()

    def value(self, place: str) -> str:
        return self._find(place).input_value()

    def checked(self, place: str) -> bool:
        return self._find(place).is_checked()

    def box(self, place: str) -> FloatRect:
        """Where it is on the screen, in pixels."""
        found = self._find(place).bounding_box()
        assert found, f"{place} is not to be seen"
        return found

    def boxes(self, place: str) -> list[FloatRect]:
        self._rest()
        return [box for one in self._page.locator(place).all() if (box := one.bounding_box())]

    def overflow(self) -> int:
        """By how many pixels the page is wider than the screen."""
        self._rest()
        return int(self._page.evaluate("capeval.overflow()"))

    def focused(self) -> str:
        """The name of what the keyboard is on; its classes where it has none."""
        self._rest()
        return str(self._page.evaluate("capeval.focused()"))

    def style(self, place: str, name: str) -> str:
        return str(self._find(place).evaluate("(node, name) => getComputedStyle(node)[name]", name))

    def faults_of_access(self, axe: Path) -> list[str]:
        """What axe-core calls serious or critical, each with the first places where it is."""
        self._rest()
        if not self._page.evaluate("'axe' in window"):
            self._page.add_script_tag(path=axe)
        found = self._page.evaluate("axe.run({ resultTypes: ['violations'] })")
        return [
            f"{one['id']}: {one['help']}: {[node['html'][:200] for node in one['nodes'][:6]]}"
            for one in found["violations"]
            if one["impact"] in ("serious", "critical")
        ]

    def title(self) -> str:
        self._rest()
        return self._page.title()

    @property
    def address(self) -> str:
        """All of it, as it stands there."""
        return self._page.url.removeprefix(self.server.url)

    @property
    def path(self) -> str:
        """Without the session's id, which is another one each time."""
        self._rest()
        page, _, query = self.address.partition("?")
        query = "&".join(one for one in query.split("&") if not one.startswith(f"{keeping.PARAMETER}="))
        return f"{page}?{query}" if query else page

    def look(self, *, width: int, dark: bool) -> None:
        """On another screen, without a reload."""
        self._page.set_viewport_size({"width": width, "height": SIZE[1]})
        self._page.emulate_media(color_scheme="dark" if dark else "light")
        self.settle()

    def picture(self, path: Path) -> None:
        """All of the page: Streamlit scrolls inside itself, so the window grows to its content."""
        self._rest()
        size = self._page.viewport_size
        assert size
        height = int(self._find(places.MAIN).evaluate("node => node.scrollHeight"))
        self._page.set_viewport_size({"width": size["width"], "height": max(900, min(height + 40, 4_000))})
        self.settle()
        self._page.screenshot(path=path)
        self._page.set_viewport_size(size)

    def check(self) -> None:
        """What must never be seen."""
        self._rest(pending=False)
        found = {name: self._page.locator(name).all_inner_texts() for name in (places.EXCEPTION, places.DIALOG)}
        found |= {"scripts": self.broken, "outside": self.outside, "asked": self.asked}
        wrong = {name: texts for name, texts in found.items() if texts}
        faults = self.server.faults()
        self.broken, self.outside, self.asked = [], [], []
        if wrong or faults:
            raise AssertionError(f"{self._page.url}: {wrong}\n{faults}")

    def _find(self, place: str, *, pending: bool = True) -> Locator:
        """The one thing there; two are a fault of the page or of the test."""
        self._rest(pending=pending)
        return self._page.locator(place)
