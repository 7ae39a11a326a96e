import { subjectLink } from '../audit/audit.ts';
import { apiPath, html, Refusal, ui } from '../page.ts';
import type { AddPages, api, Html, Page, Visit } from '../page.ts';

const path = '/console/stuck';
const guide = '/operator/docs/repairs#the-doctor';

/** What the doctor has found, and how each finding is repaired. */
async function showReport(visit: Visit, report: api.DoctorReport | null): Promise<Page> {
  const { texts, instant, may } = visit;
  const { stuck } = texts;
  if (!may('Admin')) throw new Refusal(403, 'FORBIDDEN', { requiredRole: 'Admin' });
  const unclean = report?.checks.filter(({ state }) => state !== 'clean') ?? [];
  const count = report?.checks.length ?? 0;
  const checked = stuck.checked(count - unclean.length, count);
  const result =
    report &&
    ui.note(html`${checked} ${instant(report.checkedAt)}`, report.isClean ? 'good' : 'bad');
  return {
    title: stuck.title,
    beside: html`<form class="filter" method="post" action="${path}">
      <button class="primary">${stuck.run}</button>
    </form>`,
    content: html`${ui.hint(html`${stuck.intro} ${ui.link(guide, stuck.guide)}`)} ${result}
    ${unclean.map((each) => checkCard(visit, each))}`,
  };
}

function checkCard(
  visit: Visit,
  { id, title, state, found, isRepairable, findings }: api.DoctorReport['checks'][number],
): Html {
  const { codes, stuck, subject } = visit.texts;
  const rows = findings.map(({ subjectType, subjectId, text, workflow }) => {
    const named = codes.finding(text);
    return [
      html`${ui.own(subjectType)} ${subjectLink(visit, subjectType, subjectId)}`,
      html`${ui.own(named)} ${named !== text && ui.muted(ui.code(text))}`,
      workflow && ui.outerLink(workflow.url, ui.code(workflow.workflowId)),
    ];
  });
  const repair = html`${stuck.repair}
    <bdi class="id" dir="ltr">npm run doctor -- --repair --check ${id}</bdi>`;
  const result =
    state === 'found'
      ? html`${ui.rowsTable([subject, stuck.finding, stuck.workflow], rows)}
          ${found > findings.length && ui.hint(stuck.more(found))}
          <p>${isRepairable ? repair : ui.link(guide, stuck.decide)}</p>`
      : ui.postButton(path, stuck.again, { check: id });
  const heading = html`${ui.code(id)} ${ui.chip(stuck.states[state], 'warn')}`;
  return ui.section(heading, [ui.own(codes.check(id, title)), result], 'card stack');
}

/** The checks take up to ten seconds, so only a form of the console's own page runs them. */
const examine = async (visit: Visit): Promise<Page> => {
  const query = { check: visit.value('check') };
  return showReport(visit, await visit.read<api.DoctorReport>(apiPath`/operator/v1/doctor`, query));
};

const showStuck = (visit: Visit): Promise<Page> => showReport(visit, null);

export const findingsPage: AddPages = ({ show, submit }) => {
  show(path, showStuck);
  submit(path, examine, showStuck);
};
