const target = document.getElementById('reference');
const content = await (await fetch(target.dataset.document)).json();
const { paths, webhooks = {} } = content;

const slugOf = (name) => name.toLowerCase().replaceAll(/[^a-z]+/g, '-');

const isMeant = ({ operationId }) => `#${operationId}` === location.hash;

/** Replaces a short link to an operation, such as `/docs#createOffer`, by Scalar's anchor. */
function openShortLink() {
  const call = Object.values(paths).flatMap(Object.values).find(isMeant);
  const event = Object.values(webhooks).flatMap(Object.values).find(isMeant);
  const { tags, operationId } = call ?? event ?? {};
  if (tags === undefined) return;
  const slug = call ? operationId : `webhook/${operationId}`;
  history.replaceState(null, '', `#tag/${slugOf(tags[0])}/${slug}`);
}

openShortLink();
// Before Scalar, which then opens what the address names.
addEventListener('popstate', openShortLink);

const configuration = {
  content,
  generateTagSlug: ({ name }) => slugOf(name),
  generateOperationSlug: ({ operationId }) => operationId,
  // Scalar also asks for the slug of no event.
  generateWebhookSlug: ({ name }) => webhooks[name]?.post.operationId ?? name,
  authentication: { preferredSecurityScheme: 'bearer' },
  // Each of these would use the internet.
  withDefaultFonts: false,
  telemetry: false,
  showDeveloperTools: 'never',
  hideClientButton: true,
  agent: { disabled: true },
};
const reference = Scalar.createApiReference(target, configuration);

/** Gets a token and gives it to Scalar. Credential and token stay in the memory of this page. */
async function authenticate(form) {
  const fields = [...form.querySelectorAll('input')].map(({ id, value }) => [id, value.trim()]);
  const response = await fetch(form.dataset.path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(Object.fromEntries(fields)),
  });
  const { state, payload } = await response.json();
  if (payload === null) return `No token: ${state}.`;
  const { accessToken: token, expiresIn } = payload;
  const securitySchemes = { bearer: { token } };
  const authentication = { ...configuration.authentication, securitySchemes };
  reference.updateConfiguration({ ...configuration, authentication });
  const end = new Date(Date.now() + expiresIn * 1000);
  return `The console sends a token that is valid until ${end.toLocaleTimeString()}.`;
}

async function showResult(form) {
  const output = form.querySelector('output');
  output.textContent = '…';
  try {
    output.textContent = await authenticate(form);
  } catch (error) {
    output.textContent = `No token: ${error.message}.`;
  }
}

document.querySelector('form').addEventListener('submit', (event) => {
  event.preventDefault();
  void showResult(event.target);
});
