import { loadConfigOrExit } from '../process/config.ts';
import { startReceiver } from './demo/receiver.ts';
import { runDemo } from './demo/run-demo.ts';
import { applySandboxDefaults } from '../embedded/sandbox-environment.ts';
import { DEMO_RECEIVER_ORIGIN } from '../embedded/start-gateway.ts';
import { configuredOperator } from '../embedded/state/demo-credentials.ts';
import { readRuntimeInfo } from '../embedded/state/runtime-info.ts';
import { exitWithUsage, readCommandLine } from './command-line.ts';

/**
 * `npm run demo`: runs the demo against the running gateway, with `-- --sandbox` against the
 * running sandbox, whose clock it advances, or with `-- --api URL` against any, as the operator of
 * OPERATOR_ID. Its receiver listens on `--receiver ORIGIN`, which
 * WEBHOOK_ALLOWED_ORIGINS of the gateway must name. Exits 1 if any step is wrong.
 */

const usage = `\
npm run demo                                    against the gateway of npm start
npm run demo -- --sandbox                       against the sandbox of npm run sandbox
npm run demo -- --api URL [--receiver ORIGIN]   against another one, as OPERATOR_ID`;

function noOperator(): never {
  console.error('--api needs the OPERATOR_ID and OPERATOR_SECRET of an Admin of that gateway.');
  process.exit(1);
}

const print = (line: string): void => {
  console.log(line);
};

const { values } = readCommandLine(usage, {
  options: {
    sandbox: { type: 'boolean', default: false },
    api: { type: 'string' },
    receiver: { type: 'string', default: DEMO_RECEIVER_ORIGIN },
  },
});
if ([values.api, values.receiver].some((url) => url !== undefined && !URL.canParse(url)))
  exitWithUsage(usage);
if (values.sandbox) applySandboxDefaults();
const config = loadConfigOrExit();
const info =
  values.api === undefined
    ? await readRuntimeInfo(config.GATEWAY_HOME)
    : { apiUrl: values.api, operator: configuredOperator(config) ?? noOperator() };
if (info === undefined) {
  console.error(
    `No gateway runs on ${config.GATEWAY_HOME}: start one with ` +
      `\`${values.sandbox ? 'npm run sandbox' : 'npm start'}\` in another terminal.`,
  );
  process.exit(1);
}
const { operatorId, operatorSecret } = info.operator;
if (operatorSecret === null) {
  console.error(
    `The operator ${operatorId} was deactivated or has a new secret, which the gateway does not ` +
      'know: start it with the OPERATOR_ID and OPERATOR_SECRET of an Admin.',
  );
  process.exit(1);
}
try {
  const receiver = await startReceiver(values.receiver);
  try {
    const result = await runDemo({
      apiUrl: info.apiUrl,
      operator: { operatorId, operatorSecret },
      receiver,
      receiverUrl: `${values.receiver}/hook`,
      needsSandbox: values.sandbox,
      print,
      suffix: Date.now().toString(36),
    });
    print('\nEvery step was right. Some of the histories in the Temporal UI:');
    print(`  first review      ${result.offerWorkflowUrl}`);
    print(`  first delivery    ${result.deliveryWorkflowUrl}`);
    print(`  retried delivery  ${result.retriedDeliveryUrl}`);
    print(`  agreement switch  ${result.agreementWorkflowUrl}`);
    print(`  bulk job          ${result.jobWorkflowUrl}`);
    print(`  return, decided   ${result.returnWorkflowUrl}`);
    print(`  return, waiting   ${result.undecidedReturn.workflowUrl}`);
    if (result.clockWorkflowUrl === null) {
      print(`                    for its deadline at ${result.undecidedReturn.deadline}`);
      print(
        'A sandbox shows the deadline in seconds: npm run sandbox, then npm run demo -- --sandbox',
      );
    } else {
      print(`                    until silence decided it`);
      print(`  the clock         ${result.clockWorkflowUrl}`);
    }
  } finally {
    await receiver.close();
  }
} catch (error) {
  console.error(`\nThe demo failed: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
