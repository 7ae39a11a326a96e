import { languages, type OperatorSettings } from '../../domain/accounts/operator-settings.ts';
import { apiPath, html, ui } from '../page.ts';
import type { Act, AddPages, ShowPage, Visit } from '../page.ts';
import { textsOf } from '../texts/texts.ts';

const path = '/console/settings';

/** Keeps what an operator chooses in its record. */
export const saveSettings = (
  { send }: Visit,
  settings: Partial<OperatorSettings>,
): Promise<OperatorSettings> => send(apiPath`/operator/v1/me`, settings, { method: 'PATCH' });

const zones = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')];

/** What an operator chooses for itself: language, time zone and keys. */
const showSettings: ShowPage = async (visit, notice) => {
  const { texts, language, zone, operator, typed, sentTo } = visit;
  const { settings } = texts;
  const names = languages.map((each) => [each, textsOf(each).ownName] as const);
  const known = zone === null || zones.includes(zone) ? zones : [zone, ...zones];
  const choices = [
    ['', settings.ofBrowser] as const,
    ...known.map((each) => [each, each] as const),
  ] as const;
  // What a form that was refused had.
  const isOn = sentTo === '' ? operator.settings.keys : typed('keys') === 'true';
  return {
    title: settings.title,
    notice: notice ?? ui.doneNote(visit, () => settings.saved),
    content: html`<form method="post" action="${path}" class="card stack">
      ${ui.selectField(visit, settings.language, 'language', names, typed('language') || language)}
      ${ui.selectField(visit, settings.zone, 'timeZone', choices, typed('timeZone') || (zone ?? ''), html`dir="ltr"`)}
      ${ui.box(settings.keys, 'keys', 'true', isOn)}
      <div><button class="primary">${settings.save}</button></div>
    </form>`,
  };
};

const save: Act = async (visit) => {
  const { choice, value } = visit;
  await saveSettings(visit, {
    language: choice('language', languages) || null,
    timeZone: value('timeZone') || null,
    keys: value('keys') === 'true',
  });
  return { next: `${path}?done=1` };
};

export const settingsPage: AddPages = ({ show, submit }) => {
  show(path, showSettings);
  submit(path, save, showSettings);
};
