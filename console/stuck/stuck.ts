import type { DoctorReport } from '../http/api-types.ts';
import { Refusal, withQuery } from '../http/gateway-calls.ts';
import type { AddPages } from '../http/pages.ts';
import type { Page, Visit } from '../http/visit.ts';
import { instant } from '../html/formats.ts';
import { html, type Html } from '../html/html.ts';
import { subjectLink } from '../audit/audit-link.ts';
import { hiddenFields, rowsTable } from '../html/parts.ts';

type Check = DoctorReport['checks'][number];

/** What the doctor finds when it is asked, and how each finding is repaired. */
async function showStuck(visit: Visit): Promise<Page> {
  const { texts, value, read, language } = visit;
  const { stuck } = texts;
  if (!visit.may('Admin')) throw new Refusal(403, 'FORBIDDEN');
  // The checks take up to ten seconds, so that the page runs them only when it is asked to.
  const check = value('check');
  const isAsked = value('run') !== '';
  const report = isAsked ? await read<DoctorReport>('/operator/v1/doctor', { check }) : null;
  const unclean = report?.checks.filter(({ state }) => state !== 'clean') ?? [];
  return {
    title: stuck.title,
    body: html`<div class="head">
        <h1>${stuck.title}</h1>
        <form class="filter">
          ${hiddenFields({ run: 'true' })}
          <button class="primary">${stuck.run}</button>
        </form>
      </div>
      <div class="stack">
        <p class="muted">
          ${stuck.intro} <a href="/operator/docs/repairs#the-doctor">${stuck.guide}</a>
        </p>
        ${
          report !== null &&
          html`<p class="notice ${report.isClean ? 'good' : 'bad'}" role="status">
            ${stuck.checked(report.checks.length - unclean.length, report.checks.length)}
            ${instant(report.checkedAt, language)}
          </p>`
        }
        ${unclean.map((each) => checkCard(visit, each))}
      </div>`,
  };
}

function checkCard(visit: Visit, check: Check): Html {
  const { stuck } = visit.texts;
  const { id, title, state, found, isRepairable, findings } = check;
  return html`<section class="card stack">
    <h2><bdi class="id">${id}</bdi> <span class="chip warn">${stuck.states[state]}</span></h2>
    <bdi>${title}</bdi>
    ${
      state === 'found' &&
      html`${rowsTable(
          [stuck.subject, stuck.finding, stuck.workflow],
          findings.map(({ subjectType, subjectId, text, workflow }) => [
            html`<bdi>${subjectType}</bdi> ${subjectLink(subjectType, subjectId)}`,
            html`<bdi>${text}</bdi>`,
            workflow !== null &&
              html`<a href="${workflow.url}" rel="noreferrer noopener" target="_blank">
                <bdi class="id">${workflow.workflowId}</bdi>
              </a>`,
          ]),
          stuck.title,
        )}
        ${found > findings.length && html`<p class="muted">${stuck.more(found)}</p>`}
        <p>
          ${
            isRepairable
              ? html`${stuck.repair}
                  <bdi class="id" dir="ltr">npm run doctor -- --repair --check ${id}</bdi>`
              : html`<a href="/operator/docs/repairs#the-doctor">${stuck.decide}</a>`
          }
        </p>`
    }
    ${
      state !== 'found' &&
      html`<p>
        <a href="${withQuery('/console/stuck', { run: 'true', check: id })}">${stuck.again}</a>
      </p>`
    }
  </section>`;
}

export const stuckPage: AddPages = ({ show }) => show('/console/stuck', showStuck);
