# Copyright (c) 2026 The Heddle authors.
# SPDX-License-Identifier: Apache-2.0
"""What a person does with the page, and what must then be seen. Started by run.py."""
import json
import re
import subprocess
import unittest


class PageTest(unittest.TestCase):
    """Common to all: one browser, and after each test nothing was fetched and nothing complained."""
    browser = None
    folder = None
    heddle = None
    shots = None
    name = "sb.html"

    def setUp(self):
        self.load(self.name)

    def load(self, name, **how):
        self.path = self.folder / name
        self.browser.open(self.path, **how)

    def tearDown(self):
        if self.shots:
            self.browser.screenshot(self.shots / f"{self.id().rsplit('.', 1)[-1]}.png")
        self.assertEqual(self.browser.complaints, [])
        own = self.path.resolve().as_uri()
        self.assertEqual([url for url in self.browser.requests if url.split("#")[0] != own and not url.startswith("data:")], [])

    # What is seen

    def count(self, selector):
        return self.browser.run(f"document.querySelectorAll({json.dumps(selector)}).length")

    def text(self, selector):
        return self.browser.run(f"document.querySelector({json.dumps(selector)}).textContent")

    def edges(self, relation):
        return set(self.browser.run(f"""[...document.querySelectorAll('#canvas .edge[data-relation="{relation}"]')]
            .map(edge => edge.dataset.from + edge.dataset.to)"""))

    def nodes(self):
        return self.browser.run("[...document.querySelectorAll('#canvas .node > text:not(.marks)')].map(node => node.textContent)")

    def lit(self):
        """Names of the lit events, and texts of the lit lines."""
        return (self.browser.run("[...document.querySelectorAll('#canvas .node.lit')].map(node => node.dataset.name)"),
                self.browser.run("[...document.querySelectorAll('#threads li.lit .text')].map(line => line.textContent)"))

    def selected(self):
        return self.browser.run("[...document.querySelectorAll('#executions li')].findIndex(e => e.ariaSelected === 'true')")

    def tick(self, fieldset, name):
        self.browser.click(f'#{fieldset} input[data-name="{name}"]')

    def colour(self, selector, what="backgroundColor"):
        value = self.browser.run(f"getComputedStyle(document.querySelector({json.dumps(selector)})).{what}")
        return tuple(int(number) for number in re.findall(r"\d+", value)[:3])

    def focused(self):
        return self.browser.run("document.activeElement.id || document.activeElement.outerHTML.slice(0, 80)")


class Choosing(PageTest):
    def test_the_list_names_states_verdicts_and_axioms(self):
        self.assertEqual(self.count("#executions li"), 4)
        self.assertIn("0:EAX=0; 1:EAX=1;", self.text("#execution-0"))
        self.assertIn("allowed", self.text("#execution-0"))
        self.assertIn("forbidden by sc", self.text("#execution-3"))
        self.assertIn("satisfies the condition", self.text("#execution-3"))
        self.assertEqual(self.selected(), 0)

    def test_a_click_shows_another_execution(self):
        self.assertEqual(self.nodes(), ["i0: W[x]=0", "i1: W[y]=0", "a: W[x]=1", "b: R[y]=0", "c: W[y]=1", "d: R[x]=1"])
        self.browser.click("#execution-2")
        self.assertEqual(self.selected(), 2)
        self.assertIn("b: R[y]=1", self.nodes())
        self.assertIn("Execution 3", self.text("#verdict"))
        self.assertEqual(self.edges("rf"), {"cb", "ad"})

    def test_buttons_step_and_stop_at_the_ends(self):
        self.assertTrue(self.browser.run("document.getElementById('previous').disabled"))
        for _ in range(3):
            self.browser.click("#next")
        self.assertEqual(self.selected(), 3)
        self.assertTrue(self.browser.run("document.getElementById('next').disabled"))
        self.browser.click("#previous")
        self.assertEqual(self.selected(), 2)

    def test_the_address_remembers_the_execution(self):
        self.load(self.name, fragment="#3")
        self.assertEqual(self.selected(), 2)
        self.browser.click("#next")
        self.assertEqual(self.browser.run("location.hash"), "#4")

    def test_the_forbidden_cycle_is_bold_and_its_axiom_named(self):
        self.assertTrue(self.browser.run("document.getElementById('highlight').hidden"))
        self.assertEqual(self.count("#canvas .edge.bold"), 0)
        self.browser.click("#execution-3")
        bold = set(self.browser.run("""[...document.querySelectorAll('#canvas .edge.bold[data-relation]')]
            .map(edge => edge.dataset.relation + ' ' + edge.dataset.from + edge.dataset.to)"""))
        self.assertEqual(bold, {"po ab", "fr bc", "po cd", "fr da"})
        self.assertIn("sc: acyclic po | rf | co | fr", self.text("#highlight"))
        self.assertIn("a –po→ b –fr→ c –po→ d –fr→ a", self.text("#highlight"))
        width = "parseFloat(getComputedStyle(document.querySelector('#canvas {} path')).strokeWidth)"
        self.assertGreaterEqual(self.browser.run(width.format(".edge.bold")),
                                2 * self.browser.run(width.format(".edge:not(.bold)")))


class Ticking(PageTest):
    def test_a_relation_appears_and_disappears(self):
        self.assertEqual(self.edges("rf"), {"i1b", "ad"})
        self.tick("relations", "rf")
        self.assertEqual(self.edges("rf"), set())
        self.assertEqual(self.edges("po"), {"ab", "cd"})
        self.tick("relations", "rf")
        self.assertEqual(self.edges("rf"), {"i1b", "ad"})
        self.assertEqual(self.edges("ppo"), set())
        self.tick("relations", "ppo")
        self.assertEqual(self.edges("ppo"), {"ab", "cd"})

    def test_a_choice_stays_with_the_next_execution(self):
        self.tick("relations", "fr")
        self.browser.click("#next")
        self.assertEqual(self.edges("fr"), set())

    def test_the_cycle_stays_when_its_relation_is_not_ticked(self):
        self.browser.click("#execution-3")
        self.tick("relations", "fr")
        self.assertEqual(self.edges("fr"), {"bc", "da"})
        self.tick("relations", "rf")
        self.assertEqual(self.edges("rf"), set())

    def test_kinds_of_events_disappear_with_their_edges(self):
        self.tick("kinds", "IW")
        self.assertEqual(self.nodes(), ["a: W[x]=1", "b: R[y]=0", "c: W[y]=1", "d: R[x]=1"])
        self.assertEqual(self.edges("rf"), {"ad"})
        self.tick("kinds", "W")
        self.assertEqual(self.nodes(), ["b: R[y]=0", "d: R[x]=1"])
        self.assertEqual(self.edges("po"), set())
        self.tick("kinds", "W")
        self.assertEqual(self.edges("po"), {"ab", "cd"})

    def test_program_order_goes_on_through_hidden_events(self):
        self.load("large.html")
        self.assertEqual(self.edges("po") & {"ef", "fg", "eg"}, {"eg"})
        self.tick("kinds", "B")
        self.assertEqual(self.edges("po") & {"ef", "fg", "eg"}, {"ef", "fg"})

    def test_sets_are_marked_on_their_events(self):
        self.assertEqual(self.count("#canvas .marks"), 0)
        self.tick("sets", "First")
        marked = self.browser.run("""[...document.querySelectorAll('#canvas .node')]
            .filter(node => node.querySelector('.marks')).map(node => node.dataset.name)""")
        self.assertEqual(marked, ["a", "c"])
        self.assertIn("First", self.text('#canvas [data-name="a"] .marks'))


class Pointing(PageTest):
    def test_pointing_at_an_event_lights_its_line(self):
        self.browser.hover('#canvas [data-name="b"] rect')
        self.assertEqual(self.lit(), (["b"], ["MOV EAX,[y]"]))
        self.browser.hover("#title")
        self.assertEqual(self.lit(), ([], []))

    def test_pointing_at_a_line_lights_its_event(self):
        self.browser.hover('#threads li[data-thread="1"][data-line="0"]')
        self.assertEqual(self.lit(), (["c"], ["MOV [y],$1"]))

    def test_text_with_markup_is_text(self):
        self.assertEqual(self.text('#threads li[data-thread="0"] .text'), 'MOV [x],$1 // <b>&amp;"</script>')
        self.assertEqual(self.count("#threads b"), 0)
        self.assertEqual(self.browser.run("document.title"), "SB<script>alert(1)</script> under sc")


class Keys(PageTest):
    def test_arrows_change_the_execution(self):
        self.browser.key("ArrowRight")
        self.browser.key("ArrowRight")
        self.assertEqual(self.selected(), 2)
        self.browser.key("ArrowLeft")
        self.assertEqual(self.selected(), 1)

    def test_the_list_is_a_list_box(self):
        self.browser.run("document.getElementById('executions').focus()")
        self.browser.key("ArrowDown")
        self.assertEqual(self.selected(), 1)
        self.browser.key("End")
        self.assertEqual(self.selected(), 3)
        self.assertEqual(self.browser.run("document.getElementById('executions').getAttribute('aria-activedescendant')"),
                         "execution-3")
        self.browser.key("Home")
        self.assertEqual(self.selected(), 0)

    def test_tab_reaches_everything_in_order_with_a_visible_focus(self):
        seen, outlines = [], []
        for _ in range(40):
            self.browser.key("Tab")
            focused = self.browser.run("""(() => {
                const element = document.activeElement, style = getComputedStyle(element);
                const inner = element.querySelector && element.matches('.node') ? getComputedStyle(element.querySelector('rect')) : null;
                return [element.className === 'skip' ? 'skip' : element.id || element.dataset.name || element.dataset.line || element.tagName,
                    inner ? parseFloat(inner.strokeWidth) >= 4 : style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2];
            })()""")
            if focused[0] == "BODY":
                break
            seen.append(focused[0])
            outlines.append(focused)
        self.assertEqual([item for item in outlines if not item[1]], [])
        self.assertEqual(seen[:4], ["skip", "theme", "next", "executions"])
        for name in ("rf", "IW", "First", "smaller", "a", "d", "0", "SUMMARY"):
            self.assertIn(name, seen)
        self.assertLess(seen.index("executions"), seen.index("rf"))
        self.assertLess(seen.index("rf"), seen.index("a"))

    def test_focus_on_an_event_lights_its_line_and_stays_with_it(self):
        self.browser.run("document.querySelector('#canvas [data-name=\"d\"]').focus()")
        self.assertEqual(self.lit(), (["d"], ["MOV EAX,[x]"]))
        self.browser.key("ArrowRight")
        self.assertEqual(self.browser.run("document.activeElement.dataset.name"), "d")
        self.assertEqual(self.selected(), 1)

    def test_the_space_bar_ticks(self):
        self.browser.run("document.querySelector('#relations input[data-name=\"rf\"]').focus()")
        self.browser.key(" ")
        self.assertEqual(self.edges("rf"), set())


class Looks(PageTest):
    def test_the_switch_changes_between_light_and_dark(self):
        self.assertGreater(sum(self.colour("body")), 600)
        self.browser.click("#theme")
        self.assertLess(sum(self.colour("body")), 150)
        self.assertGreater(sum(self.colour("body", "color")), 600)
        self.assertEqual(self.browser.run("document.getElementById('theme').ariaPressed"), "true")
        self.browser.click("#theme")
        self.assertGreater(sum(self.colour("body")), 600)

    def test_the_preference_of_the_system_counts_until_the_switch_is_used(self):
        self.load(self.name, dark=True)
        self.assertLess(sum(self.colour("body")), 150)
        self.browser.prefer_dark(False)
        self.assertGreater(sum(self.colour("body")), 600)
        self.browser.click("#theme")
        self.browser.prefer_dark(True)
        self.browser.prefer_dark(False)
        self.assertLess(sum(self.colour("body")), 150)

    def contrast(self, one, two):
        def luminance(colour):
            parts = [c / 255 for c in colour]
            parts = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
            return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]

        light, dark = sorted((luminance(one), luminance(two)), reverse=True)
        return (light + 0.05) / (dark + 0.05)

    def test_text_and_edges_have_enough_contrast(self):
        self.load("large.html")
        self.tick("relations", "hb")
        for theme in ("light", "dark"):
            with self.subTest(theme=theme):
                self.assertEqual(self.browser.run("document.documentElement.dataset.theme"), theme)
                # Lanes are the worst ground for labels of edges.
                ground = self.colour("#canvas .lane", "fill")
                for relation in ("po", "rf", "co", "fr", "rmw", "addr", "hb"):
                    edge = self.colour(f'#canvas .edge[data-relation="{relation}"]', "color")
                    self.assertGreaterEqual(self.contrast(edge, ground), 4.5, relation)
                card = self.colour("#side")
                for selector in (".allowed", ".flag", "#position", "h3"):
                    self.assertGreaterEqual(self.contrast(self.colour(selector, "color"), card), 4.5, selector)
                for kind in ("R", "W", "F"):
                    self.assertGreaterEqual(self.contrast(self.colour(f"#canvas .node.{kind} text", "fill"),
                                                          self.colour(f"#canvas .node.{kind} rect", "fill")), 4.5, kind)
            self.browser.click("#theme")

    def test_events_do_not_overlap_and_lie_in_the_picture(self):
        for name in ("sb.html", "large.html", "run.html"):
            with self.subTest(name=name):
                self.load(name)
                bad = self.browser.run("""(() => {
                    const outer = document.querySelector('#canvas svg').getBoundingClientRect();
                    const boxes = [...document.querySelectorAll('#canvas .node rect')].map(r => r.getBoundingClientRect());
                    return boxes.filter((a, i) => a.left < outer.left || a.right > outer.right || a.top < outer.top ||
                        a.bottom > outer.bottom || boxes.some((b, j) => j < i && a.left < b.right && b.left < a.right &&
                        a.top < b.bottom && b.top < a.bottom)).length;
                })()""")
                self.assertEqual(bad, 0)

    def test_program_order_points_down(self):
        self.load("large.html")
        up = self.browser.run("""[...document.querySelectorAll('#canvas .edge[data-relation="po"]')].filter(edge => {
            const top = name => document.querySelector(`#canvas [data-name="${name}"] rect`).getBoundingClientRect().top;
            return top(edge.dataset.from) >= top(edge.dataset.to);
        }).length""")
        self.assertEqual(up, 0)

    def test_a_wide_graph_fits_and_can_be_made_larger(self):
        self.load("large.html", width=1000)
        width = "document.querySelector('#canvas svg').getBoundingClientRect().width"
        fits = self.browser.run(width)
        self.assertLessEqual(fits, self.browser.run("document.getElementById('canvas').clientWidth"))
        self.browser.click("#larger")
        self.assertGreater(self.browser.run(width), fits * 1.2)
        self.browser.click("#fit")
        self.assertEqual(self.browser.run(width), fits)

    def test_a_narrow_window_needs_no_sideways_scrolling(self):
        self.load("sb.html", width=420)
        self.assertLessEqual(self.browser.run("document.documentElement.scrollWidth"), 420)


class Words(PageTest):
    def test_the_accessibility_tree_names_what_is_there(self):
        self.browser.click("#execution-3")
        tree = self.browser.accessibility()
        roles = {}
        for role, name in tree:
            roles.setdefault(role, []).append(name)
        self.assertIn("Executions", roles["listbox"])
        self.assertEqual(len(roles["option"]), 4)
        self.assertTrue(any("forbidden by sc" in name for name in roles["option"]))
        self.assertTrue({"Dark", "Previous execution", "Next execution", "Fit"} <= set(roles["button"]))
        self.assertTrue(any(name.startswith("rf") for name in roles["checkbox"]))
        self.assertIn("Relations", roles["group"])
        everything = [name for _, name in tree]
        self.assertIn("a: W[x]=1, thread P0, SB.litmus:3", everything)
        self.assertIn("status", roles)
        self.assertEqual([name for name in roles["checkbox"] + roles["button"] if not name.strip()], [])

    def test_the_description_tells_what_is_shown(self):
        self.browser.click("#description summary")
        words = self.text("#words")
        self.assertIn("rf: i1 → b, a → d", words)
        self.assertEqual(self.count("#words tbody tr"), 6)
        self.tick("relations", "rf")
        self.assertNotIn("rf:", self.text("#words"))


class Runs(PageTest):
    name = "run.html"

    def test_a_violation_has_its_cycle(self):
        self.assertIn("VIOLATED", self.text("#title"))
        self.assertIn("sequential consistency", self.text("#highlight"))
        self.assertEqual(self.count("#canvas .edge.bold[data-relation]"), 4)
        self.assertEqual(self.browser.run("[...document.querySelectorAll('#canvas .lane-name')].map(e => e.textContent)"),
                         ["main", "left", "right"])

    def test_a_page_without_executions_says_so(self):
        self.load("empty.html")
        self.assertIn("no execution", self.text("#verdict"))


SB = """X86 SB
{ x=0; y=0; }
 P0          | P1          ;
 MOV [x],$1  | MOV [y],$1  ;
 MOV EAX,[y] | MOV EAX,[x] ;
exists (0:EAX=0 /\\ 1:EAX=0)
"""


class Litmus(PageTest):
    """Pages the binary itself writes."""

    def setUp(self):
        text = subprocess.run([self.heddle, "litmus", "--help"], capture_output=True, text=True, check=False).stdout \
            if self.heddle.exists() else ""
        if "--html" not in text:
            self.path = self.folder / "sb.html"
            self.skipTest("this binary has no litmus --html")
        (self.folder / "SB.litmus").write_text(SB)

    def show(self, model):
        ran = subprocess.run([self.heddle, "litmus", self.folder / "SB.litmus", "--model", model, "--html",
                              self.folder / f"{model}.html"], capture_output=True, text=True, check=False)
        self.assertEqual(ran.stderr, "")
        self.load(f"{model}.html")

    def test_sc_forbids_what_tso_allows(self):
        self.show("sc")
        self.assertEqual(self.count("#executions li"), 4)
        self.assertEqual(self.count("#executions .forbidden"), 1)
        self.browser.click("#execution-3")
        self.assertIn("0:EAX=0; 1:EAX=0;", self.text("#verdict"))
        self.assertIn("a –po→ b –fr→ c –po→ d –fr→ a", self.text("#highlight"))
        self.assertEqual(self.count("#canvas .edge.bold[data-relation]"), 4)
        self.browser.hover('#canvas [data-name="b"] rect')
        self.assertEqual(self.lit(), (["b"], ["MOV EAX,[y]"]))
        self.show("tso")
        self.assertEqual(self.count("#executions .forbidden"), 0)
        self.assertIn("satisfies the condition", self.text("#execution-0"))


class Histories(PageTest):
    """A stack that loses an element: its history, and the run."""
    SOURCE = """static int elements[4];
static int count;
void push(int value) { elements[count] = value; count = count + 1; }
int pop(void) { if (count == 0) return -1; count = count - 1; return elements[count]; }
"""

    def setUp(self):
        self.path = self.folder / "sb.html"
        if not self.heddle.exists():
            self.skipTest("there is no heddle beside the tests")
        (self.folder / "stack.c").write_text(self.SOURCE)
        ran = subprocess.run([self.heddle, "linearizable", self.folder / "stack.c", "--object", "stack", "--functions", "push,pop", "--html",
                              self.folder / "history.html"], capture_output=True, text=True, check=False)
        self.assertEqual((ran.returncode, ran.stderr), (16, ""))
        self.output = ran.stdout
        self.load("history.html")

    def test_a_history_has_a_bar_for_each_operation_and_says_why(self):
        labels = self.browser.run("[...document.querySelectorAll('#history .bar text')].map(bar => bar.textContent)")
        self.assertGreaterEqual(len(labels), 3)
        for label in labels:
            self.assertIn(f"[-{label}-", self.output)
        self.assertEqual(self.count("#history .bar.unexplained"), 1)
        self.assertIn(self.text("#history .bar.unexplained text"), self.text("#history .why"))
        self.assertIn("why: " + self.text("#history .why p")[:60], self.output)

    def test_the_bars_lie_as_in_the_text(self):
        first = self.browser.run("[...document.querySelectorAll('#history .bar path')].map(bar => bar.getBoundingClientRect().left)")
        self.assertEqual(first, sorted(first), "bars come in the order of their calls")
        self.assertEqual(len(set(first)), len(first), "each call has a moment of its own")

    def test_the_run_has_calls_and_returns_and_nothing_of_the_harness(self):
        steps = self.text("#history .steps")
        self.assertIn("calls push(1)", steps)
        self.assertIn("returns from push(1)", steps)
        self.assertNotIn("__heddle", self.browser.run("document.body.innerText"))
        self.assertIn("calls push(1)", " ".join(self.nodes()))

    def test_other_pages_have_no_history(self):
        self.load("sb.html")
        self.assertTrue(self.browser.run("document.getElementById('history').hidden"))
