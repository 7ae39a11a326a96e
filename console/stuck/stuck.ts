import { subjectLink } from '../audit/audit.ts';
import { html, type Html } from '../html/html.ts';
import * as ui from '../html/ui.ts';
import type { DoctorReport } from '../http/api-types.ts';
import { withQuery, Refusal } from '../http/gateway-calls.ts';
import type { AddPages, Page, Visit } from '../http/visit.ts';

const guide = '/operator/docs/repairs#the-doctor';

/** What the doctor finds when it is asked, and how each finding is repaired. */
async function showStuck({ texts, value, read, instant, may }: Visit): Promise<Page> {
  const { stuck } = texts;
  if (!may('Admin')) throw new Refusal(403, 'FORBIDDEN');
  // The checks take up to ten seconds, so that the page runs them only when it is asked to.
  const query = { check: value('check') };
  const isAsked = value('run') !== '';
  const report = isAsked ? await read<DoctorReport>('/operator/v1/doctor', query) : null;
  const unclean = report?.checks.filter(({ state }) => state !== 'clean') ?? [];
  const result =
    report &&
    html`<p class="notice ${report.isClean ? 'good' : 'bad'}" role="status">
      ${stuck.checked(report.checks.length - unclean.length, report.checks.length)}
      ${instant(report.checkedAt)}
    </p>`;
  return {
    title: stuck.title,
    beside: html`<form class="filter">
      ${ui.hiddenFields({ run: 'true' })}<button class="primary">${stuck.run}</button>
    </form>`,
    content: html`<p class="muted">${stuck.intro} ${ui.link(guide, stuck.guide)}</p>
      ${result} ${unclean.map((each) => checkCard(each, texts))}`,
  };
}

function checkCard(
  { id, title, state, found, isRepairable, findings }: DoctorReport['checks'][number],
  { stuck, subject }: Visit['texts'],
): Html {
  const rows = findings.map(({ subjectType, subjectId, text, workflow }) => [
    html`${ui.own(subjectType)} ${subjectLink(subjectType, subjectId)}`,
    ui.own(text),
    workflow && ui.outerLink(workflow.url, ui.code(workflow.workflowId)),
  ]);
  const repair = html`${stuck.repair}
    <bdi class="id" dir="ltr">npm run doctor -- --repair --check ${id}</bdi>`;
  return html`<section class="card stack">
    <h2>${ui.code(id)} ${ui.chip(stuck.states[state], 'warn')}</h2>
    ${ui.own(title)}
    ${
      state === 'found'
        ? html`${ui.rowsTable([subject, stuck.finding, stuck.workflow], rows, stuck.title)}
            ${found > findings.length && html`<p class="muted">${stuck.more(found)}</p>`}
            <p>${isRepairable ? repair : ui.link(guide, stuck.decide)}</p>`
        : ui.link(withQuery('/console/stuck', { run: 'true', check: id }), stuck.again)
    }
  </section>`;
}

export const stuckPage: AddPages = ({ show }) => show('/console/stuck', showStuck);
