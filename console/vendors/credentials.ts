import { capabilities } from '../../domain/accounts/capabilities.ts';
import type { Credential, ListOf } from '../http/api-types.ts';
import type { Visit } from '../http/visit.ts';
import { instant } from '../html/formats.ts';
import { html, type Html } from '../html/html.ts';
import { activeChip, hiddenFields, openedForm, postButton, rowsTable } from '../html/parts.ts';

/** A vendor's credentials, each with its switch, and the form that issues another. */
export async function credentialsSection(visit: Visit, vendorId: string): Promise<Html> {
  const { texts, language, read } = visit;
  const { vendors } = texts;
  const api = `/operator/v1/vendors/${vendorId}/credentials`;
  const { items } = await read<ListOf<Credential>>(api, { pageSize: 100 });
  const path = `/console/vendors/${vendorId}`;
  const rows = items.map(({ id, isActive, ...credential }) => [
    html`<bdi class="id">${credential.clientId}</bdi>`,
    html`<bdi>${credential.capabilities.replaceAll(',', ', ')}</bdi>`,
    activeChip(visit, { isActive }),
    instant(credential.expirationDate, language),
    postButton(`${path}/credential`, isActive ? texts.activity.turnOff : texts.activity.turnOn, {
      credential: id,
      isActive: String(!isActive),
    }),
  ]);
  const columns = ['clientId', vendors.capabilities, texts.status, vendors.credentials.expires, ''];
  // Each credential names the one environment of the gateway.
  const environment = items[0]?.environment ?? 'Production';
  return html`<section>
    <h2>${vendors.credentials.title}</h2>
    ${rowsTable(columns, rows, vendors.credentials.none)}
    ${openedForm({
      action: `${path}/credentials`,
      label: vendors.credentials.issue,
      button: vendors.credentials.issue,
      content: html`${hiddenFields({ environment, key: crypto.randomUUID() })}
        <label>
          ${vendors.capabilities}
          <input name="capabilities" required value="${capabilities.join(',')}" dir="ltr" />
        </label>`,
    })}
  </section>`;
}
