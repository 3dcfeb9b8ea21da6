(() => {
  "use strict";
  const root = document.documentElement;
  root.classList.add("scripted");

  // The theme is set before anything is shown. A page opened from a file may be refused storage.
  const THEME = "truegain-theme";
  const setTheme = (theme) => {
    if (theme === "light" || theme === "dark") root.dataset.theme = theme;
    else delete root.dataset.theme;
  };
  let theme = "auto";
  try {
    theme = localStorage.getItem(THEME) || "auto";
  } catch {
    // The choice lasts as long as the page then.
  }
  setTheme(theme);

  const say = (text) => {
    document.getElementById("said").textContent = text;
  };
  const plural = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;

  /** An element with attributes and children; every text becomes a text node, never markup. */
  const make = (tag, attributes = {}, ...children) => {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.append(...children.filter((child) => child !== null));
    return element;
  };
  /** A test for texts that hold every word searched for. */
  const searcher = (wanted) => {
    const words = wanted.toLowerCase().split(/\s+/).filter(Boolean);
    return (text) => words.every((word) => text.includes(word));
  };

  const startTheme = () => {
    for (const input of document.querySelectorAll('input[name="theme"]')) {
      input.checked = input.value === (root.dataset.theme || "auto");
      input.addEventListener("change", () => {
        setTheme(input.value);
        try {
          localStorage.setItem(THEME, input.value);
        } catch {
          // As above.
        }
      });
    }
  };

  /** The rows of a section, without its heading. */
  const bodyRows = (body) => [...body.rows].filter((row) => !row.classList.contains("section"));

  const startSorting = (table) => {
    const bodies = [...table.tBodies].map((body) => ({ body, given: bodyRows(body) }));
    const order = new Intl.Collator("en", { numeric: true });
    const keyed = (given, column) =>
      given.map((row, place) => {
        const cell = row.cells[column];
        const number = cell.dataset.key === undefined ? null : Number(cell.dataset.key);
        return { row, place, number, text: cell.textContent.trim() };
      });
    const compare = (a, b) => {
      if (a.number !== null && b.number !== null) return a.number - b.number;
      if (a.number !== null || b.number !== null) return a.number === null ? 1 : -1;
      return order.compare(a.text, b.text);
    };
    table.tHead.addEventListener("click", (event) => {
      const button = event.target.closest("button.sort");
      if (!button) return;
      const head = button.closest("th");
      const next = { ascending: "descending", descending: null }[head.getAttribute("aria-sort")];
      const direction = next === undefined ? "ascending" : next;
      for (const other of table.tHead.querySelectorAll("[aria-sort]")) other.removeAttribute("aria-sort");
      if (direction) head.setAttribute("aria-sort", direction);
      const sign = direction === "ascending" ? 1 : -1;
      for (const { body, given } of bodies) {
        const all = direction ? keyed(given, Number(button.dataset.column)) : [];
        // Empty cells come last whichever way; what is equal keeps its order.
        const full = all.filter((one) => one.number !== null || one.text);
        const empty = all.filter((one) => one.number === null && !one.text);
        full.sort((a, b) => sign * compare(a, b) || a.place - b.place);
        body.append(...(direction ? [...full, ...empty].map((one) => one.row) : given));
      }
      say(direction ? `Sorted by ${button.textContent}, ${direction}` : "In the original order");
    });
  };

  const startRowSearch = (input) => {
    const table = document.getElementById(input.dataset.rows);
    const rows = [...table.tBodies].flatMap(bodyRows);
    const texts = rows.map((row) => row.textContent.toLowerCase());
    const count = input.closest(".controls").querySelector("output");
    const search = () => {
      const holds = searcher(input.value);
      let shown = 0;
      rows.forEach((row, place) => {
        row.hidden = !holds(texts[place]);
        shown += row.hidden ? 0 : 1;
      });
      count.textContent = input.value.trim() ? `${shown} of ${plural(rows.length, "row")}` : "";
    };
    input.addEventListener("input", search);
    if (input.value) search();
  };

  /** Only what can be scrolled takes the focus. */
  const startScrolling = () => {
    const look = (element) => {
      if (element.scrollWidth > element.clientWidth) element.tabIndex = 0;
      else element.removeAttribute("tabindex");
    };
    const observer = new ResizeObserver((entries) => entries.forEach((entry) => look(entry.target)));
    for (const element of document.querySelectorAll("main > section > :not(.segments) .scroll")) observer.observe(element);
  };

  const startCopying = (button) => {
    const source = document.getElementById(button.dataset.copy);
    let timer;
    const tell = (text) => {
      button.textContent = text;
      say(text);
      clearTimeout(timer);
      timer = setTimeout(() => {
        button.textContent = "Copy";
      }, 2000);
    };
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(source.textContent);
        tell("Copied");
      } catch {
        getSelection().selectAllChildren(source);
        tell(document.execCommand("copy") ? "Copied" : "Selected");
      }
    });
  };

  /** The section that is being read is marked in the contents. */
  const startContents = () => {
    const links = new Map([...document.querySelectorAll(".contents a")].map((link) => [link.hash.slice(1), link]));
    const sections = [...document.querySelectorAll("main > section")];
    if (!links.size) return;
    let current = null;
    const look = () => {
      const bottom = innerHeight + scrollY >= root.scrollHeight - 2 && scrollY > 0;
      const read = bottom ? sections.at(-1) : sections.findLast((one) => one.getBoundingClientRect().top < 120);
      const link = links.get(encodeURIComponent((read || sections[0]).id)) || links.get((read || sections[0]).id);
      if (link === current) return;
      current?.removeAttribute("aria-current");
      link?.setAttribute("aria-current", "true");
      current = link;
    };
    addEventListener("scroll", look, { passive: true });
    addEventListener("resize", look);
    look();
  };

  const startSegments = (box) => {
    const data = JSON.parse(document.getElementById(box.dataset.segments).textContent);
    const part = (name) => box.querySelector(`[data-part="${name}"]`);
    const [pairs, metrics, documents, order, search] = ["pair", "metric", "document", "order", "search"].map(part);
    const sides = [...box.querySelectorAll('input[type="radio"]')];
    const list = part("list");
    const option = (value, text) => new Option(text, value);
    const nameOf = (pair) => JSON.stringify([pair.baseline, pair.system]);
    let shown = null;
    let cards = [];

    const marked = (stretches) => {
      const found = [];
      for (let i = 0; i < stretches.length; i += 2) {
        const kind = stretches[i + 1];
        found.push(kind ? make("mark", { class: kind === 2 ? "hit" : "miss" }, stretches[i]) : stretches[i]);
      }
      return found;
    };
    const statistics = (segment) => {
      const [before, after] = segment.statistics;
      const entry = (name, i) =>
        make("div", {}, make("dt", {}, make("bdi", {}, name)), make("dd", {}, before[i] ?? "", " → ", after[i] ?? ""));
      const names = [make("bdi", {}, shown.baseline), " → ", make("bdi", {}, shown.system)];
      const title = make("summary", {}, "Statistics ", make("span", {}, ...names));
      return make("details", {}, title, make("dl", { class: "statistics" }, ...shown.names.map(entry)));
    };
    const card = (segment) => {
      const up = segment.size >= 0;
      const share = segment.share === null ? "" : ` (${segment.share})`;
      const head = make(
        "div",
        { class: "segment-head" },
        make("h3", {}, `Segment ${segment.number.toLocaleString("en")}`),
        segment.id === undefined ? null : make("bdi", { class: "where" }, `id ${segment.id}`),
        segment.document === null ? null : make("bdi", { class: "where" }, segment.document),
        make("p", { class: shown.directed ? `what ${up ? "good" : "bad"}` : "what" }, `${up ? "▲" : "▼"} ${segment.contribution}${share}`),
      );
      const texts = make("dl", { class: "texts" });
      const outputs = segment.outputs === undefined ? null : data.marked[segment.outputs];
      const found = [segment.document || "", segment.id || ""];
      segment.references.forEach((place, i) => {
        const label = segment.references.length > 1 ? `Reference ${i + 1}` : "Reference";
        texts.append(make("dt", {}, label), make("dd", { class: "reference", dir: "auto" }, data.texts[place]));
        found.push(data.texts[place]);
      });
      [shown.baseline, shown.system].forEach((name, i) => {
        const score = segment.scores[i];
        if (score === null && !outputs) return;
        const value = score === null ? null : make("span", { class: "score" }, score);
        if (!outputs) {
          texts.append(make("dt", {}, make("bdi", {}, name)), make("dd", {}, score));
          return;
        }
        texts.append(make("dt", {}, make("bdi", {}, name), " ", value), make("dd", { dir: "auto" }, ...marked(outputs[i])));
        found.push(outputs[i].filter((_, j) => j % 2 === 0).join(""));
      });
      const item = make("li", {}, head, texts, shown.names.length ? statistics(segment) : null);
      return { segment, item, text: found.join("\n").toLowerCase() };
    };

    const orders = {
      given: (a, b) => b.segment.size - a.segment.size,
      against: (a, b) => a.segment.size - b.segment.size,
      size: (a, b) => Math.abs(b.segment.size) - Math.abs(a.segment.size),
      number: (a, b) => a.segment.number - b.segment.number,
    };
    const show = () => {
      const holds = searcher(search.value);
      const side = sides.find((input) => input.checked).value;
      const kept = cards.filter(
        ({ segment, text }) =>
          holds(text) &&
          (documents.value === "" || segment.document === documents.options[documents.selectedIndex].dataset.name) &&
          (side === "all" || (side === "up") === segment.size >= 0),
      );
      kept.sort((a, b) => orders[order.value](a, b) || a.segment.number - b.segment.number);
      list.replaceChildren(...kept.map((one) => one.item));
      part("count").textContent = `${kept.length} of ${plural(cards.length, "listed segment")} shown`;
    };
    const choose = () => {
      shown = data.pairs.find((pair) => nameOf(pair) === pairs.value && pair.metric === metrics.value);
      cards = shown.segments.map(card);
      const names = [...new Set(shown.segments.map((one) => one.document).filter((name) => name !== null))];
      names.sort(new Intl.Collator("en", { numeric: true }).compare);
      documents.replaceChildren(option("", "all documents"));
      names.forEach((name, i) => {
        const one = option(String(i + 1), name);
        one.dataset.name = name;
        documents.append(one);
      });
      documents.closest(".field").hidden = names.length < 2;
      // Of a metric of which neither way is better, segments raise or lower it.
      const words = shown.directed ? ["favouring the system", "favouring the baseline"] : ["raising it", "lowering it"];
      sides.forEach((input) => {
        if (input.value !== "all") input.nextElementSibling.textContent = words[input.value === "up" ? 0 : 1];
      });
      [order.options[0].textContent, order.options[1].textContent] = words.map((word) => `${word} first`);
      part("legend").hidden = shown.segments.every((one) => one.outputs === undefined);
      const [first, second] = shown.runs;
      const between = shown.runs.length ? ["Between the runs ", make("bdi", {}, first), " and ", make("bdi", {}, second), ". "] : [];
      part("summary").replaceChildren(...between, shown.summary);
      show();
    };
    const choosePair = () => {
      const before = metrics.value;
      const mine = data.pairs.filter((pair) => nameOf(pair) === pairs.value);
      metrics.replaceChildren(...mine.map((pair) => option(pair.metric, pair.label)));
      if (mine.some((pair) => pair.metric === before)) metrics.value = before;
      choose();
    };

    const names = new Map(data.pairs.map((pair) => [nameOf(pair), `${pair.system} against ${pair.baseline}`]));
    pairs.replaceChildren(...[...names].map(([value, text]) => option(value, text)));
    pairs.addEventListener("change", choosePair);
    metrics.addEventListener("change", choose);
    documents.addEventListener("change", show);
    order.addEventListener("change", show);
    search.addEventListener("input", show);
    sides.forEach((input) => input.addEventListener("change", show));
    if (data.pairs.length) choosePair();
  };

  const startPrinting = () => {
    let opened = [];
    addEventListener("beforeprint", () => {
      opened = [...document.querySelectorAll("details:not([open])")];
      for (const one of opened) one.open = true;
    });
    addEventListener("afterprint", () => {
      for (const one of opened) one.open = false;
    });
  };

  document.addEventListener("DOMContentLoaded", () => {
    startTheme();
    document.querySelectorAll(".table table").forEach(startSorting);
    document.querySelectorAll("input[data-rows]").forEach(startRowSearch);
    document.querySelectorAll("[data-copy]").forEach(startCopying);
    document.querySelectorAll("[data-segments]").forEach(startSegments);
    startScrolling();
    startContents();
    startPrinting();
  });
})();
