import { loadClientConnectConfig } from '@temporalio/envconfig';
import type { Config } from '../../config.ts';

/** Reads the variables of Temporal's SDKs (TEMPORAL_ADDRESS, TEMPORAL_API_KEY, …). */
export const connectionOptions = (config: Config) =>
  loadClientConnectConfig({ overrideEnvVars: { ...config.temporalEnvironment }, disableFile: true })
    .connectionOptions;
