// A room with many alerts: those of one kind that wait at one table are one card, and one
// decision may be taken of all of them.

const few = 3; // so many of a kind are listed one by one

// kindOf identifies what an alert is grouped by.
export const kindOf = (a) => `${a.table} ${a.code}`;

// grouped gathers, in a list of alerts, the open ones of one kind that are more than a few, at
// the place of the first of them; every other alert is a group of its own.
export function grouped(alerts) {
  const groups = new Map();
  const open = (a) => !a.ack && !a.resolved;
  const count = {};
  for (const a of alerts) if (open(a)) count[kindOf(a)] = (count[kindOf(a)] ?? 0) + 1;
  for (const a of alerts) {
    const key = open(a) && count[kindOf(a)] > few ? kindOf(a) : a.id;
    groups.set(key, [...(groups.get(key) ?? []), a]);
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
