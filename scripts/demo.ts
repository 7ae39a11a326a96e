import { loadConfigOrExit } from '../config.ts';
import { DEMO_RECEIVER_ORIGIN } from './demo-receiver-origin.ts';
import { startReceiver } from './demo/receiver.ts';
import { playStory } from './demo/story.ts';
import { readRunning } from './running.ts';

/** `npm run demo`: plays the main job, the whole life of offers, an order with its returns, and webhooks, against the running gateway. Exits 1 if any step is off. */

const print = (line: string): void => {
  console.log(line);
};

const config = loadConfigOrExit();
const running = await readRunning(config.GATEWAY_HOME);
if (running === undefined) {
  console.error(
    `No gateway runs on ${config.GATEWAY_HOME}: start one with \`npm start\` in another terminal.`,
  );
  process.exit(1);
}
try {
  const receiver = await startReceiver(DEMO_RECEIVER_ORIGIN);
  try {
    const end = await playStory({
      apiUrl: running.apiUrl,
      operator: running.operator,
      receiver,
      receiverUrl: `${DEMO_RECEIVER_ORIGIN}/hook`,
      print,
      run: Date.now().toString(36),
    });
    print('\nEvery step was right. Six of the histories in the Temporal UI:');
    print(`  first review      ${end.offerWorkflowUrl}`);
    print(`  first delivery    ${end.deliveryWorkflowUrl}`);
    print(`  retried delivery  ${end.retriedDeliveryUrl}`);
    print(`  agreement switch  ${end.agreementWorkflowUrl}`);
    print(`  return, decided   ${end.returnWorkflowUrl}`);
    print(`  return, waiting   ${end.silentReturn.workflowUrl}`);
    print(`                    for silence to decide at ${end.silentReturn.deadline}`);
  } finally {
    await receiver.close();
  }
} catch (error) {
  console.error(`\nThe demo went wrong: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
