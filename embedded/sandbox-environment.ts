/**
 * What `npm run sandbox` sets where the environment does not, so that it runs beside `npm start`.
 */
const sandboxDefaults = {
  GATEWAY_HOME: '.gateway/sandbox',
  PORT: '3100',
  POSTGRES_PORT: '5533',
  TEMPORAL_PORT: '7333',
  TEMPORAL_UI_PORT: '8333',
  SANDBOX_REGISTRATIONS_PER_HOUR: '0',
};

/** Sets the variables of a sandbox in this process. */
export function applySandboxDefaults(): void {
  // A spread: `assign` would overwrite the environment before it reads it.
  Object.assign(process.env, {
    ...sandboxDefaults,
    ...process.env,
    GATEWAY_ENVIRONMENT: 'Sandbox',
  });
}
