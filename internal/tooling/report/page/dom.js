// dom.js: elements are made here and nowhere else. Strings become text nodes or properties, never markup.

// el makes an element. Properties that start with "on" are listeners, "class" and "aria-*" are attributes, the others are properties.
function el(tag, props, ...children) {
  const e = document.createElement(tag);
  for (const [key, value] of Object.entries(props || {})) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith('on')) e.addEventListener(key.slice(2), value);
    else if (key === 'class') e.className = value;
    else if (key.includes('-') || key === 'role' || key === 'for') e.setAttribute(key, value === true ? '' : String(value));
    else e[key] = value;
  }
  e.append(...children.flat().filter((c) => c !== null && c !== undefined));
  return e;
}

// drawing makes an element of an SVG.
function drawing(tag, attributes, ...children) {
  const e = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [key, value] of Object.entries(attributes || {})) e.setAttribute(key, String(value));
  e.append(...children);
  return e;
}

// choice makes a list to choose from; options are [value, text, group, title].
function choice(label, options, value, change) {
  const select = el('select', { 'aria-label': label, onchange: () => change(Number(select.value)) });
  fillChoice(select, options, value);
  return select;
}

function fillChoice(select, options, value) {
  const groups = new Map();
  select.replaceChildren();
  for (const [v, text, group, title] of options) {
    const option = el('option', { value: String(v), textContent: text, title: title || null, selected: v === value });
    if (!group) {
      select.append(option);
      continue;
    }
    if (!groups.has(group)) {
      groups.set(group, el('optgroup', { label: group }));
      select.append(groups.get(group));
    }
    groups.get(group).append(option);
  }
}

function number(n, digits = 0) {
  return n.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}
