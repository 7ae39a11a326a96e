/** Where the demo's webhook receiver listens: the one origin the embedded start lets past the webhook guardrail. */
export const DEMO_RECEIVER_ORIGIN = 'http://127.0.0.1:8790';
