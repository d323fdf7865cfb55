// A room with many alerts: those of one kind that wait at one table are one card, and one
// decision may be taken of all of them.

const few = 3; // so many of a kind are listed one by one

// kindOf identifies what an alert is grouped by.
export const kindOf = (a) => `${a.table} ${a.code}`;

// incidentOf identifies the incident that an alert belongs to: alerts of one cause are one.
export const incidentOf = (a) => a.incident || a.id;

// incidents gathers, in a list of alerts, those of one incident that nobody has taken, at the place of the
// first of them, which stands for it; every other alert is an incident of its own.
export function incidents(alerts) {
  const out = new Map();
  for (const a of alerts) {
    const key = a.ack ? a.id : `open ${incidentOf(a)}`;
    out.set(key, [...(out.get(key) ?? []), a]);
  }
  return [...out.values()];
}

// joined gathers, in a list of the review's items, those of one incident that came to the same: one item with its parts.
export function joined(items) {
  const out = new Map();
  for (const x of items) {
    const key = `${incidentOf(x.alert)} ${x.alert.ack?.outcome ?? ''}`;
    out.set(key, [...(out.get(key) ?? []), x]);
  }
  return [...out.values()].map((parts) => ({ ...parts[0], parts, reviewed: parts.every((x) => x.reviewed), notes: parts.reduce((n, x) => n + (x.notes ?? 0), 0) }));
}

// grouped gathers, in a list of incidents, the open ones of one kind that are more than a few, at
// the place of the first of them; every other incident is a group of its own.
export function grouped(list) {
  const groups = new Map();
  const open = ([a]) => !a.ack && !a.resolved;
  const count = {};
  for (const x of list) if (open(x)) count[kindOf(x[0])] = (count[kindOf(x[0])] ?? 0) + 1;
  for (const x of list) {
    const key = open(x) && count[kindOf(x[0])] > few ? kindOf(x[0]) : x[0].id;
    groups.set(key, [...(groups.get(key) ?? []), x]);
  }
  return [...groups.values()];
}

// Reason asks why all alerts of a group are false.
export class Reason {
  constructor(dialog) {
    this.dialog = dialog;
    this.form = dialog.querySelector('form');
    dialog.querySelector('[data-t=cancel]').addEventListener('click', () => dialog.close());
  }

  // ask opens the dialog; take(reason) is called once it was given.
  ask(title, take) {
    this.dialog.querySelector('p').textContent = title;
    this.form.reset();
    this.form.onsubmit = () => take(this.form.note.value.trim());
    this.dialog.showModal();
    this.form.note.focus();
  }
}
