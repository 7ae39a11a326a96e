/** The introduction of the vendors' reference page, in Markdown. */
export const vendorOverview = `
Vendors, the suppliers of a marketplace, use this gateway from their systems: they submit offers,
push prices and stock, synchronise and ship orders, handle returns and receive webhooks. An offer or
a price goes live when a reviewer approves it; stock applies at once.

Guides with complete examples: [authentication](/docs/authentication), [offers](/docs/offers),
[shipments](/docs/shipments), [returns](/docs/returns), [webhooks](/docs/webhooks) and
[errors](/docs/errors). The [OpenAPI document](/openapi.json) is for client generators and tools.

## Address and token

Every path is relative to the address of this page. Request and response bodies are JSON in UTF-8
(\`application/json\`).

\`\`\`sh
TOKEN=$(curl -s $API/api/v1/auth/token --json \\
  '{"clientId": "vc_…", "clientSecret": "vs_…"}' |
  jq -r .payload.accessToken)
curl -s $API/api/v1/scent/offers \\
  -H "authorization: Bearer $TOKEN"
\`\`\`

A token is valid for 300 seconds. Cache it, and fetch the next one 30 seconds before it expires. On
a 401, fetch a new token and retry once. \`UPSTREAM_AUTH_FAILED\` is not about your token: retry
later. The capabilities of a credential decide what its tokens can do; without the required
capability a call fails with 403 and \`details.requiredCapability\`.

## Responses

Every response is \`{"state", "payload", "details"}\`. \`state\` is \`SUCCESS\` or an error code,
\`payload\` is null on every error, and \`details.help\` leads to the error's entry of the guide. New
fields can appear within v1: ignore those that you do not know.

The payload of a list is \`{"items", "pagination"}\`. \`page\` counts from 1; \`pageSize\` is 1 to
100 and defaults to 20. To follow the changes of offers, shipments and returns, send the
\`details.nextChangedSince\` of the previous response as \`changedSince\`: you miss no change, and
unchanged items can repeat.

## Requests

- **Strict.** Types are not converted: \`"5"\` is not a number. Unknown fields and parameters are
  errors. In a body, null means the same as an omitted field.
- **Money** is in SAR with at most two decimals and is never rounded silently. Every amount needs
  its flag \`…IsVatInclusive\`, which has no default: false means net, true means gross with 15%
  VAT. Responses contain net amounts: sending one back as net changes nothing.
- **Ids** are uuids, accepted in any letter case and returned in lower case. A resource of another
  vendor is 404, as if it did not exist.
- **Dates** are RFC 3339 with a time and an offset or \`Z\`, returned in UTC.
- **Repeating.** A create-offer with the same \`vendorExternalId\` returns the existing offer. You
  can repeat PATCH, PUT and pushes: the same state again changes nothing. A status change that was
  made already is refused. Every other POST creates something new each time, unless you send the
  same \`Idempotency-Key\`: [repeating](/docs/errors#repeating-a-call-that-creates).

## Limits

Unless this gateway is configured otherwise, a vendor has 600 calls a minute, and separately 1,200
stock and price pushes, 12,000 items of bulk pushes and 30,000 items of bulk jobs; a
\`clientId\` has 10 token calls in any 60 seconds from one network.
\`RateLimit-Limit\`, \`RateLimit-Remaining\` and \`RateLimit-Reset\` report the count; a 429 has
\`Retry-After\` in whole seconds. A body has at most 64 KiB; a token call has 4 KiB, a bulk
push 1 MiB and a job 8 MiB. At most five webhook subscriptions are active.

## Errors

Decide by \`state\`, and by the HTTP status when you do not know the code. [Errors](/docs/errors)
says when each code occurs and what to do. Checks run in this order, and the first failure is the
response: route, token, capability, rate, media type, body and query, resource, state and business
rules. A body error lists every failing field. Retry a 429 or 503 after \`Retry-After\`, a 502 or
504 with back-off.

Every response has an \`X-Request-Id\`: yours when it is valid, otherwise a new one. Quote it in
questions about a call.

## Versions

The version is in the path, \`/api/v1\`. Changes within a version only add. A route that will be
removed answers with \`Deprecation\` and \`Sunset\` headers for twelve months before; none does now.
`.trim();

/** The introduction of the operators' reference page, in Markdown. */
export const operatorOverview = `
Operators, the service's staff, use these routes: they review offers, create orders, decide returns,
recover webhook deliveries and manage vendors. [The vendors' reference](/docs) describes responses,
money, dates, limits and versions, which are the same here. [Errors](/docs/errors) says when each
code occurs and what to do. The [OpenAPI document](/operator/openapi.json) is for client generators
and tools.

\`\`\`sh
TOKEN=$(curl -s $API/operator/v1/auth/token --json \\
  '{"operatorId": "…", "operatorSecret": "os_…"}' |
  jq -r .payload.accessToken)
curl -s $API/operator/v1/offers \\
  -H "authorization: Bearer $TOKEN"
\`\`\`

A token is valid for 900 seconds. The role of an operator decides what its tokens can do; without
the required role a call fails with 403 and \`details.requiredRole\`. The role Admin includes all
others.

A decision takes the \`reviewVersion\` that the operator has read as \`expectedVersion\`. It fails
with 409 when the offer has changed since. The audit log contains every change.
`.trim();
