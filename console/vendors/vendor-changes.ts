import type { CreatedCredential } from '../http/api-types.ts';
import type { AddPages } from '../http/pages.ts';
import { formOf } from '../http/attempt.ts';
import type { Page, Visit } from '../http/visit.ts';
import { html } from '../html/html.ts';
import { facts } from '../html/parts.ts';
import { showVendor } from './vendor.ts';

const idOf = (visit: Visit, name: string): string => encodeURIComponent(visit.value(name));

/** Sends one change, and shows the vendor as it is then. */
const change = (send: (visit: Visit) => Promise<unknown>) =>
  formOf(showVendor, async (visit) => {
    await send(visit);
    return { next: `/console/vendors/${idOf(visit, 'id')}?done=0` };
  });

const switchActive = (kind: 'vendors' | 'credentials', id: 'id' | 'credential') =>
  change((visit) => {
    const body = { isActive: visit.value('isActive') === 'true' };
    const path = `/operator/v1/${kind}/${idOf(visit, id)}/active`;
    return visit.send(path, body, { method: 'PATCH' });
  });

/** Issues a credential. The API gives its secret once, and again to a form that is sent twice. */
async function issue(visit: Visit): Promise<Page> {
  const { texts, value } = visit;
  const { clientId, clientSecret } = await visit.send<CreatedCredential>(
    `/operator/v1/vendors/${idOf(visit, 'id')}/credentials`,
    { environment: value('environment'), capabilities: value('capabilities') },
    { idempotencyKey: value('key') },
  );
  return {
    title: texts.vendors.credentials.title,
    body: html`<h1>${texts.vendors.credentials.title}</h1>
      <p class="notice warn" role="status">${texts.vendors.secret}</p>
      ${facts([
        ['clientId', html`<bdi class="id">${clientId}</bdi>`],
        ['clientSecret', html`<bdi class="id">${clientSecret}</bdi>`],
      ])}
      <p><a href="/console/vendors/${value('id')}">${texts.vendors.title}</a></p>`,
  };
}

export const vendorChanges: AddPages = ({ submit }) => {
  const path = '/console/vendors/:id';
  submit(`${path}/active`, switchActive('vendors', 'id'));
  submit(`${path}/credential`, switchActive('credentials', 'credential'));
  submit(`${path}/credentials`, formOf(showVendor, issue));
  submit(
    `${path}/cancel-job`,
    change((visit) => visit.send(`/operator/v1/jobs/${idOf(visit, 'job')}/cancel`)),
  );
};
