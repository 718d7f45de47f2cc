// What Parley promises of the driver that runs the claude program.
import type { Requirement } from './requirement.ts';

export const driver: readonly Requirement[] = [
  // Processes
  {
    id: 'driver.process.start-and-stop',
    seed: 5,
    heading: 'Acceptance Criteria',
    promise: 'A session starts the program, is ready for input, and stops it so that nothing of it is left.',
  },
  {
    id: 'driver.process.states',
    seed: 5,
    heading: 'Process Lifecycle',
    promise:
      'A session goes through created, starting, running, paused, stopping, stopped and error, and refuses every other move with a clear error.',
  },
  {
    id: 'driver.process.running-at-first-message',
    seed: 5,
    heading: 'Process Lifecycle',
    promise: 'A session that starts is running once the program is ready or its first message begins.',
  },
  {
    id: 'driver.process.stop-gracefully',
    seed: 5,
    heading: 'Phase 3: Process Management',
    promise: 'Stopping asks with SIGTERM and kills after a grace time.',
  },
  {
    id: 'driver.process.kill',
    seed: 5,
    heading: 'Phase 3: Process Management',
    promise: 'Killing ends the process and all it started at once.',
  },
  {
    id: 'driver.process.pause-buffers-input',
    seed: 5,
    heading: 'Phase 3: Process Management',
    promise: 'A paused session keeps input, within bounds, and sends it on in order when it is resumed.',
  },
  {
    id: 'driver.process.clean-exit',
    seed: 5,
    heading: 'Process Lifecycle',
    promise: 'A process that exits by itself with its work done leaves its session stopped.',
  },
  {
    id: 'driver.process.no-orphans',
    seed: 5,
    heading: '1. ClaudeCodeProvider',
    promise: 'No process outlives its session, however either of them or the host ends.',
  },
  {
    id: 'driver.process.status',
    seed: 5,
    heading: '1. ClaudeCodeProvider',
    promise: 'A session tells its state, its process and its last error at any time.',
  },
  {
    id: 'driver.process.send-input',
    seed: 5,
    heading: 'Acceptance Criteria',
    promise: 'Input can be sent to a running session, many times over one process.',
  },
  {
    id: 'driver.process.working-directory',
    seed: 5,
    heading: 'Security Considerations',
    promise: 'The program runs in the configured working directory.',
  },
  {
    id: 'driver.process.environment',
    seed: 5,
    heading: 'Security Considerations',
    promise:
      'The program gets an environment built from a list, without CLAUDECODE and without variables that load foreign code.',
  },
  // Stream
  {
    id: 'driver.stream.by-line',
    seed: 5,
    heading: '2. Stream Parser',
    promise: "Frames are read line by line from the program's output, whatever chunks it comes in.",
  },
  {
    id: 'driver.stream.partial-line',
    seed: 5,
    heading: '2. Stream Parser',
    promise: 'A line that has come in part waits for its rest, also at the end of the stream.',
  },
  {
    id: 'driver.stream.invalid-json',
    seed: 5,
    heading: 'Error Handling',
    promise: 'A line that is no JSON is skipped, counted and told as a warning, and the stream goes on.',
  },
  {
    id: 'driver.stream.unknown-type',
    seed: 5,
    heading: 'Error Handling',
    promise: 'A message of an unknown type is passed on and does no harm.',
  },
  {
    id: 'driver.stream.bare-and-wrapped',
    seed: 5,
    heading: 'Stream Format Examples',
    promise: 'Stream events are understood bare as well as wrapped.',
  },
  // Flags
  {
    id: 'driver.flags.table',
    seed: 5,
    heading: '3. Configuration Builder',
    promise: 'Every configuration key becomes its flag of the program.',
  },
  {
    id: 'driver.flags.always',
    seed: 5,
    heading: '3. Configuration Builder',
    promise: 'Streaming JSON in both directions and partial messages are always asked for.',
  },
  {
    id: 'driver.flags.all-problems',
    seed: 5,
    heading: 'Testing Strategy',
    promise:
      'A wrong configuration is refused with all its problems at once: unknown keys by name, wrong types told.',
  },
  {
    id: 'driver.flags.system-prompt',
    seed: 5,
    heading: 'Acceptance Criteria',
    promise: 'The system prompt can be replaced and appended to.',
  },
  {
    id: 'driver.flags.mcp-override',
    seed: 5,
    heading: 'MCP Server Override',
    promise: 'MCP servers are configured by text, list or object, alone when strict.',
  },
  {
    id: 'driver.flags.structured-output',
    seed: 5,
    heading: 'Advanced Configuration',
    promise: 'A JSON schema given as an object makes the program answer in that shape.',
  },
  {
    id: 'driver.flags.tool-restrictions',
    seed: 5,
    heading: 'Security Considerations',
    promise: 'Allowed and disallowed tools hold.',
  },
  {
    id: 'driver.flags.permission-mode',
    seed: 5,
    heading: 'Security Considerations',
    promise: 'The permission mode is passed on and holds.',
  },
  {
    id: 'driver.flags.safe-arguments',
    seed: 5,
    heading: 'Security Considerations',
    promise: 'A value never becomes a flag, and what a person says never becomes an argument.',
  },
  // Events
  {
    id: 'driver.events.message-start',
    seed: 5,
    heading: '4. Event Translator',
    promise: 'The start of a message changes the status from starting to running.',
  },
  {
    id: 'driver.events.tool-use',
    seed: 5,
    heading: '4. Event Translator',
    promise: 'A tool call is told as metadata with its name and input.',
  },
  {
    id: 'driver.events.text',
    seed: 5,
    heading: '4. Event Translator',
    promise: 'Text is told as output, piece by piece, and each piece once.',
  },
  {
    id: 'driver.events.usage',
    seed: 5,
    heading: '4. Event Translator',
    promise: 'Token counts are told as metrics, once for each message.',
  },
  {
    id: 'driver.events.message-stop',
    seed: 5,
    heading: '4. Event Translator',
    promise: 'The end of a bare stream changes the status to stopped.',
  },
  {
    id: 'driver.events.error',
    seed: 5,
    heading: '4. Event Translator',
    promise: 'An error is told as an error event and changes the status to error.',
  },
  {
    id: 'driver.events.totals',
    seed: 5,
    heading: 'Acceptance Criteria',
    promise: "Tokens and cost of a turn are the program's own totals.",
  },
  {
    id: 'driver.events.order',
    seed: 5,
    heading: 'Basic Usage',
    promise:
      'A reader of events sees the session from its start to its end, in order, and the loop ends with it.',
  },
  // Failures
  {
    id: 'driver.failure.start',
    seed: 5,
    heading: 'Error Handling',
    promise:
      'A program that cannot be started leaves its session in error, with one error event that says why.',
  },
  {
    id: 'driver.failure.crash',
    seed: 5,
    heading: 'Error Handling',
    promise:
      'A program that dies leaves its session in error, with one error event that carries what it wrote to stderr.',
  },
  {
    id: 'driver.failure.stall',
    seed: 5,
    heading: 'Error Handling',
    promise:
      'A silent turn, a stream without result and a process that does not exit each become an error of their own, and the process is cleaned up.',
  },
  {
    id: 'driver.failure.next-start',
    seed: 5,
    heading: 'Error Handling',
    promise: 'After any failure the next start works and goes on with the conversation.',
  },
  {
    id: 'driver.breaker.cooldown',
    seed: 5,
    heading: 'Error Handling',
    promise: 'After three failures a start is refused for 30 seconds and the refusal says when to try again.',
  },
  {
    id: 'driver.breaker.half-open',
    seed: 5,
    heading: 'Error Handling',
    promise: 'After the cooldown one start is tried, and its outcome decides.',
  },
  // Beyond
  {
    id: 'driver.budget.limit',
    seed: 5,
    heading: 'Security Considerations',
    promise: 'The program stops spending at the configured budget.',
  },
  {
    id: 'driver.budget.warnings',
    seed: 5,
    heading: 'Future Enhancements',
    promise: 'Spending is warned of at 50, 80 and 95 percent of the budget.',
  },
  {
    id: 'driver.agents.custom',
    seed: 5,
    heading: 'Future Enhancements',
    promise: 'Custom agents with roles of their own are handed to the program.',
  },
  {
    id: 'driver.session.fork',
    seed: 5,
    heading: 'Future Enhancements',
    promise: 'A conversation can be forked: both go on, each with its own id.',
  },
  {
    id: 'driver.session.resume',
    seed: 5,
    heading: 'Benefits',
    promise: 'A conversation goes on in a new process with what was said before.',
  },
  {
    id: 'driver.end-to-end',
    seed: 5,
    heading: 'Acceptance Criteria',
    promise: 'The whole way from a prompt to its events works with the real program.',
  },
];
