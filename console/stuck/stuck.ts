import { subjectLink } from '../audit/audit.ts';
import { html, Refusal, ui } from '../page.ts';
import type { AddPages, api, Html, Page, Visit } from '../page.ts';

const guide = '/operator/docs/repairs#the-doctor';

/** What the doctor finds when it is asked, and how each finding is repaired. */
async function showStuck(visit: Visit): Promise<Page> {
  const { texts, value, read, instant, may } = visit;
  const { stuck } = texts;
  if (!may('Admin')) throw new Refusal(403, 'FORBIDDEN');
  // The checks take up to ten seconds, so that the page runs them only when it is asked to.
  const query = { check: value('check') };
  const isAsked = value('run') !== '';
  const report = isAsked ? await read<api.DoctorReport>('/operator/v1/doctor', query) : null;
  const unclean = report?.checks.filter(({ state }) => state !== 'clean') ?? [];
  const count = report?.checks.length ?? 0;
  const checked = stuck.checked(count - unclean.length, count);
  const result =
    report &&
    ui.note(html`${checked} ${instant(report.checkedAt)}`, report.isClean ? 'good' : 'bad');
  return {
    title: stuck.title,
    beside: html`<form class="filter">
      ${ui.hiddenFields({ run: 'true' })}<button class="primary">${stuck.run}</button>
    </form>`,
    content: html`${ui.hint(html`${stuck.intro} ${ui.link(guide, stuck.guide)}`)} ${result}
    ${unclean.map((each) => checkCard(visit, each))}`,
  };
}

function checkCard(
  visit: Visit,
  { id, title, state, found, isRepairable, findings }: api.DoctorReport['checks'][number],
): Html {
  const { stuck, subject } = visit.texts;
  const rows = findings.map(({ subjectType, subjectId, text, workflow }) => [
    html`${ui.own(subjectType)} ${subjectLink(visit, subjectType, subjectId)}`,
    ui.own(text),
    workflow && ui.outerLink(workflow.url, ui.code(workflow.workflowId)),
  ]);
  const repair = html`${stuck.repair}
    <bdi class="id" dir="ltr">npm run doctor -- --repair --check ${id}</bdi>`;
  const again = ui.withQuery('/console/stuck', { run: 'true', check: id });
  const result =
    state === 'found'
      ? html`${ui.rowsTable([subject, stuck.finding, stuck.workflow], rows)}
          ${found > findings.length && ui.hint(stuck.more(found))}
          <p>${isRepairable ? repair : ui.link(guide, stuck.decide)}</p>`
      : ui.link(again, stuck.again);
  const heading = html`${ui.code(id)} ${ui.chip(stuck.states[state], 'warn')}`;
  return ui.section(heading, [ui.own(title), result], 'card stack');
}

export const stuckPage: AddPages = ({ show }) => show('/console/stuck', showStuck);
