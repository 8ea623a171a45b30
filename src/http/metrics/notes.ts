import type { Note } from '#http/note/note.ts';

const EXAMPLE = `# HELP hearthd_feature Present value of a feature; booleans are 0 or 1. Absent while the hub does not know it.
# TYPE hearthd_feature gauge
hearthd_feature{device="kitchen-sensor",key="temperature",room="kitchen",unit="celsius"} 21.4
hearthd_feature{device="kitchen-ceiling",key="on",room="kitchen"} 1
# HELP hearthd_available Whether a device can be reached: 1 if it is online or asleep, 0 if it is offline. Absent if that is not known.
# TYPE hearthd_available gauge
hearthd_available{device="kitchen-sensor",room="kitchen"} 1
`;

const DESCRIPTION = `The text format 0.0.4 of Prometheus, without times: each value is that of the moment.

- \`hearthd_feature{device,key,room,unit}\` has the numbers and booleans that are known now, \`hearthd_feature_total\` those of meters, \`hearthd_available{device,room}\` which devices can be reached. \`device\` and \`room\` are selectors.
- What is not known is absent: a value that was only sent, that is outdated, or that is from before a restart, and all values of a device that cannot be reached, until it reports again.
- The hub itself: \`hearthd_build_info\`, \`hearthd_uptime_seconds\`, \`hearthd_memory_bytes\`, \`hearthd_event_clients\`, \`hearthd_devices\`, \`hearthd_integration_up{integration}\`, \`hearthd_storage_written_bytes_total\`. An API token for some rooms or devices gets only their metrics, and none of the hub.

An answer has at most 10,000 lines. \`hearthd_samples_left_out\` says how many samples of devices are missing for that reason; API tokens for some rooms each get an answer of their own. All requests within a second get the same answer. In the configuration of Prometheus, \`metrics_path\` is this path and \`authorization\` has an API token.`;

export const getMetrics: Note = () => ({
  description: DESCRIPTION,
  answerTypes: ['text/plain'],
  answerExample: EXAMPLE,
});
