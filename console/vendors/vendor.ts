import type { Job, ListOf, Vendor, VendorSummary } from '../http/api-types.ts';
import { withQuery } from '../http/gateway-calls.ts';
import { auditLink } from '../audit/audit-link.ts';
import type { AddPages } from '../http/pages.ts';
import type { Page, Visit } from '../http/visit.ts';
import { instant } from '../html/formats.ts';
import { html, type Html } from '../html/html.ts';
import {
  activeChip,
  card,
  doneNote,
  facts,
  hiddenFields,
  openedForm,
  postButton,
  rowsTable,
} from '../html/parts.ts';
import { agreementFields, agreementText } from './agreement-form.ts';
import { credentialsSection } from './credentials.ts';

/** One vendor: agreement, offers, decisions, webhooks, jobs, and for an Admin its credentials. */
export async function showVendor(visit: Visit, notice: Html | null = null): Promise<Page> {
  const { texts, read, may } = visit;
  const id = encodeURIComponent(visit.value('id'));
  const [vendor, summary, jobs] = await Promise.all([
    read<Vendor>(`/operator/v1/vendors/${id}`),
    read<VendorSummary>(`/operator/v1/vendors/${id}/summary`),
    read<ListOf<Job>>('/operator/v1/jobs', { vendorId: visit.value('id'), pageSize: 10 }),
  ]);
  const link = (path: string, text: string): Html =>
    html`<a href="${withQuery(path, { vendorId: vendor.id })}">${text}</a>`;
  return {
    title: vendor.name,
    body: html`${notice ?? doneNote(visit, texts.vendors.done)}
      <div class="head">
        <div>
          ${activeChip(visit, vendor)} ${agreementText(visit, vendor.agreement)}
          <h1><bdi>${vendor.name}</bdi></h1>
        </div>
        <div class="filter">
          ${may('Reviewer') && link('/console/offers', texts.queue.title)}
          ${may('Operations') && link('/console/webhooks', texts.webhooks.title)}
          ${auditLink(visit, vendor.id)}
        </div>
      </div>
      <div class="stack">
        <div class="cards">${summaryCards(visit, summary)}</div>
        ${jobsSection(visit, jobs.items)}
        ${may('Admin') && (await credentialsSection(visit, vendor.id))}
      </div>
      ${may('Admin') && actionBar(visit, vendor)}`,
  };
}

function summaryCards({ texts, language, may }: Visit, summary: VendorSummary): readonly Html[] {
  const { webhooks, decision } = texts;
  const { decisions, subscriptions } = summary;
  return [
    card(
      texts.vendors.cards.offers,
      facts(summary.offers.map(({ status, count }) => [texts.statuses[status], count])),
    ),
    card(
      texts.vendors.cards.decisions,
      facts([
        [decision.done.approve, decisions.approved],
        [decision.done.reject, decisions.rejected],
        [decision.done['pending-price/apply'], decisions.pricesApplied],
        [decision.done['pending-price/discard'], decisions.pricesDiscarded],
      ]),
    ),
    card(
      texts.vendors.cards.rejections,
      html`<ol class="timeline">
        ${summary.latestRejections.map(({ offerId, reason, at }) => {
          const text = html`<bdi>${reason ?? texts.none}</bdi>`;
          return html`<li>
            ${may('Reviewer') ? html`<a href="/console/offers/${offerId}">${text}</a>` : text}
            <div class="muted">${instant(at, language)}</div>
          </li>`;
        })}
      </ol>`,
    ),
    card(
      webhooks.title,
      facts([
        [webhooks.states.active, subscriptions.active],
        [webhooks.states.inactive, subscriptions.inactive],
        [webhooks.times.failingSince, instant(subscriptions.failingSince, language)],
        [webhooks.deadLetters, subscriptions.unrecovered],
      ]),
    ),
  ];
}

function jobsSection({ texts, language, may }: Visit, jobs: readonly Job[]): Html {
  const { vendors } = texts;
  const rows = jobs.map(({ id, vendorId, kind, state, counts, createdAt, workflow }) => [
    html`<a href="${workflow.url}" rel="noreferrer noopener" target="_blank">
      ${vendors.kinds[kind]}
    </a>`,
    vendors.jobStates[state],
    vendors.counts(counts.done, counts.failed, counts.accepted),
    instant(createdAt, language),
    may('Operations') && (state === 'Queued' || state === 'Running')
      ? postButton(`/console/vendors/${vendorId}/cancel-job`, vendors.jobs.cancel, { job: id })
      : null,
  ]);
  const columns = [vendors.jobs.title, texts.status, vendors.jobs.items, texts.created, ''];
  return html`<section>
    <h2>${vendors.jobs.title}</h2>
    ${rowsTable(columns, rows, vendors.jobs.none)}
  </section>`;
}

/** What an Admin may change. */
function actionBar(visit: Visit, { id, name, isActive, agreement }: Vendor): Html {
  const { texts } = visit;
  const path = `/console/vendors/${id}`;
  return html`<div class="actions" role="group" aria-label="${name}">
    <div class="subject"><bdi>${name}</bdi></div>
    ${openedForm({
      action: `${path}/agreement`,
      method: 'get',
      label: texts.vendors.change,
      button: texts.vendors.preview,
      content: agreementFields(visit, agreement),
    })}
    ${
      isActive
        ? openedForm({
            action: `${path}/active`,
            label: texts.activity.turnOff,
            button: texts.activity.turnOff,
            content: html`${texts.vendors.off}${hiddenFields({ isActive: 'false' })}`,
            isDanger: true,
          })
        : postButton(`${path}/active`, texts.activity.turnOn, { isActive: 'true' })
    }
  </div>`;
}

export const vendorPage: AddPages = ({ show }) => show('/console/vendors/:id', showVendor);
