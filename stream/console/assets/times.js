// Fields for times that keep the instant that they were filled with. Of a typed time that
// occurred twice the field asks which is meant; one that did not occur is not valid.
import { instants, local } from './instants.js';
import { make } from './dom.js';
import { locale, t } from './words.js';

const kept = new WeakMap(); // field → {text, ms}

// put writes an instant (ms) into a field.
export function put(field, ms) {
  field.value = local(ms);
  kept.set(field, { text: field.value, ms });
  check(field);
}

// instant is the field's as the API takes it; '' where it has none, or nobody has said which.
export function instant(field) {
  const k = kept.get(field);
  if (k?.text === field.value) return new Date(k.ms).toISOString();
  const found = instants(field.value);
  if (found.length === 1) return new Date(found[0]).toISOString();
  return which(field)?.value ?? '';
}

const which = (field) => /** @type {HTMLSelectElement | null} */ (field.parentElement.querySelector('select.which'));

function check(field) {
  which(field)?.remove();
  const known = kept.get(field)?.text === field.value;
  const found = known ? [] : instants(field.value);
  field.setCustomValidity(known || !field.value || found.length ? '' : t('time_never'));
  if (found.length > 1) {
    field.after(make('select', { className: 'which', required: true, ariaLabel: t('time_twice') },
      make('option', { value: '', textContent: t('time_twice') }),
      ...found.map((ms) => make('option', { value: new Date(ms).toISOString(),
        textContent: new Date(ms).toLocaleTimeString(locale(), { timeZoneName: 'longOffset' }) }))));
  } else field.reportValidity();
}

// asks makes the fields for times of a form ask.
export function asks(form) {
  for (const field of form.querySelectorAll('[type=datetime-local]')) field.addEventListener('change', () => check(field));
}
