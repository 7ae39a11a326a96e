import type { Language } from '../../domain/accounts/operator-settings.ts';
import { html, type Html } from './html.ts';

export type { Language };

/** Latin digits in both languages. */
const locales = { en: 'en-GB', ar: 'ar-u-nu-latn' } as const;

const amounts = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const percentForm = { style: 'percent', maximumFractionDigits: 1 } as const;
const percents = new Intl.NumberFormat('en', percentForm);
const changes = new Intl.NumberFormat('en', { ...percentForm, signDisplay: 'exceptZero' });

/** An amount in SAR, or a dash, as a text. */
export const amountText = (amount: number | null): string =>
  amount === null ? '—' : amounts.format(amount);

/** An amount in SAR, or a dash. `bdi` keeps its order in a line of Arabic. */
export const money = (amount: number | null): Html => html`<bdi>${amountText(amount)}</bdi>`;

export const percent = (value: number): Html => html`<bdi>${percents.format(value / 100)}</bdi>`;

/** A change in percent, such as +11%. */
export const changeOf = (value: number): Html => html`<bdi>${changes.format(value / 100)}</bdi>`;

/**
 * An instant in the operator's time zone, or a dash. Without a zone it is in UTC, and the browser's
 * module shows it in the browser's zone.
 */
export const instant = (iso: string | null, language: Language, zone: string | null): Html => {
  if (iso === null) return html`—`;
  // In Arabic, only the long form names the month.
  const dateStyle = language === 'ar' ? 'long' : 'medium';
  const text = inZone(iso, language, { dateStyle, timeStyle: 'short' }, zone ?? 'UTC');
  return html`<time datetime="${iso}">${text} ${zone === null && 'UTC'}</time>`;
};

export const inZone = (
  iso: string,
  language: Language,
  form: Intl.DateTimeFormatOptions,
  timeZone: string,
): string =>
  new Intl.DateTimeFormat(locales[language], { ...form, timeZone }).format(new Date(iso));

/** The first or the last instant of a day in UTC; the empty text for what is no day. */
export const instantOf = (day: string, time: string): string =>
  /^\d{4}-\d\d-\d\d$/.test(day) ? `${day}T${time}Z` : '';

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** A number of a unit of time, such as 3 hours. */
export function inUnits(count: number, unit: string, language: Language): string {
  const form = { style: 'unit', unit, unitDisplay: 'long' } as const;
  return new Intl.NumberFormat(locales[language], form).format(count);
}

/** A time span in its largest whole unit; one that lies ahead is 0 minutes. */
export function span(ms: number, language: Language): string {
  const [unit, unitMs] = units.find(([, each]) => ms >= each) ?? units[2];
  return inUnits(Math.max(0, Math.floor(ms / unitMs)), unit, language);
}

/** How long ago something was, such as: 3 minutes ago, or now. */
export function ago(ms: number, language: Language): string {
  const form = new Intl.RelativeTimeFormat(locales[language], { numeric: 'auto' });
  const [unit, unitMs] = units.find(([, each]) => ms >= each) ?? ['second', Infinity];
  return form.format(-Math.floor(ms / unitMs) || 0, unit);
}

/** Names one after the other, with the commas of the language. */
export const listOf = (names: readonly string[], language: Language): string =>
  new Intl.ListFormat(locales[language], { type: 'unit', style: 'short' }).format(names);

export type Query = Readonly<Record<string, string | number | null | undefined>>;

/** A path with those parameters of a query that have a value. */
export function withQuery(path: string, query: Query): string {
  const given = Object.entries(query).filter(([, value]) => (value ?? '') !== '');
  const text = String(new URLSearchParams(Object.fromEntries(given) as Record<string, string>));
  return text === '' ? path : `${path}?${text}`;
}
