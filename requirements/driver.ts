// The driver that runs the claude program.
import { promisesOf } from './requirement.ts';

export const driver = promisesOf(5, {
  // Processes
  'driver.process.start-and-stop':
    'A session starts the program, becomes ready for input, and stops it without leaving anything behind.',
  'driver.process.states':
    'A session goes through created, starting, running, paused, stopping, stopped and error, and rejects every other transition with a clear error.',
  'driver.process.running-at-first-message':
    'A starting session is running once the program is ready or its first message begins.',
  'driver.process.stop-gracefully': 'Stopping sends SIGTERM, and kills after a grace period.',
  'driver.process.kill': 'Killing ends the process and everything it started at once.',
  'driver.process.pause-buffers-input':
    'A paused session buffers input, within bounds, and sends it in order when it resumes.',
  'driver.process.end-input':
    'The input can end while a session starts, runs or is paused; the program first gets what is waiting.',
  'driver.process.stop-again': 'Stopping a session that has ended does nothing.',
  'driver.process.abandoned-calls':
    'A call that nobody waits for does not crash the host when the session ends before it is done.',
  'driver.process.clean-exit': 'When a process exits on its own after its work, its session is stopped.',
  'driver.process.no-orphans':
    'No process outlives its session, no matter how the process, the session or the host ends.',
  'driver.process.status': 'A session reports its state, its process and its last error at any time.',
  'driver.process.send-input': 'A running session accepts input many times over one process.',
  'driver.process.working-directory': 'The program runs in the configured working directory.',
  'driver.process.wrap':
    'The host can run the program inside another one, such as a sandbox; signals still reach the program first.',
  'driver.process.environment':
    'The program gets an environment built from an allow list, without CLAUDECODE and without variables that load foreign code.',

  // Stream
  'driver.stream.by-line':
    "Frames are read line by line from the program's output, regardless of its chunks.",
  'driver.stream.partial-line': 'A partial line waits for its rest, including at the end of the stream.',
  'driver.stream.invalid-json':
    'A line that is not JSON is skipped, counted and reported as a warning, and the stream continues.',
  'driver.stream.unknown-type': 'A message of an unknown type is passed on and does no harm.',
  'driver.stream.repeated': 'A message with the uuid of an earlier one is delivered once.',
  'driver.stream.bare-and-wrapped': 'The driver understands stream events both bare and wrapped.',

  // Flags
  'driver.flags.table': 'Every configuration key becomes the corresponding flag of the program.',
  'driver.flags.always':
    'The program always gets the flags for streaming JSON in both directions and partial messages.',
  'driver.flags.all-problems':
    'An invalid configuration is rejected with all problems at once, naming unknown keys and wrong types.',
  'driver.flags.system-prompt': 'The system prompt can be replaced and appended to.',
  'driver.flags.mcp-override':
    'MCP servers can be configured as text, list or object, and strict mode uses no others.',
  'driver.flags.structured-output': 'A JSON schema makes the program answer in that shape.',
  'driver.flags.tool-restrictions': 'Allowed and disallowed tools take effect.',
  'driver.flags.permission-mode': 'The permission mode is passed on and takes effect.',
  'driver.flags.safe-arguments':
    "A value never becomes a flag, and a person's text never becomes an argument.",

  // Events
  'driver.events.message-start': 'The start of a message changes the status from starting to running.',
  'driver.events.tool-use': 'A tool call is reported as metadata with its name and input.',
  'driver.events.text': 'Text is reported as output piece by piece, and each piece once.',
  'driver.events.usage': 'Token counts are reported as metrics, once for each message.',
  'driver.events.message-stop': 'The end of a bare stream changes the status to stopped.',
  'driver.events.error': 'An error is reported as an error event and changes the status to error.',
  'driver.events.totals': "Tokens and cost of a turn are the program's own totals.",
  'driver.events.order':
    'A reader of events sees the session in order from start to end, and its loop ends with the session.',

  'driver.events.next-start': 'A reader that is opened on a session that has ended reads its next start.',
  'driver.events.stalled-reader':
    'A reader that takes nothing cannot hold up the program forever: it is left behind, with a warning.',

  // Failures
  'driver.failure.start':
    'When the program cannot be started, its session is in error, with one error event that says why.',
  'driver.failure.crash':
    "When the program dies, its session is in error, with one error event that carries the program's stderr.",
  'driver.failure.stall':
    'A silent turn, a stream without result and a process that does not exit each have their own error, and the process is cleaned up.',
  'driver.failure.next-start': 'After any failure the next start works and continues the conversation.',
  'driver.breaker.cooldown':
    'After three failures starts are refused for 30 seconds, and the refusal says when to try again.',
  'driver.breaker.half-open': 'After the cooldown one start is tried, and its outcome decides.',
  'driver.breaker.program':
    'When the program fails to start in several sessions in a row, no session starts it for a while.',

  // Versions
  'driver.versions.script':
    'A package that contains the program only as a script is found, and the script runs in the same Node.',
  'driver.versions.ask-once':
    'An old program is asked once what it can do; one that accepts everything is never asked.',
  'driver.versions.skip':
    'Options that only add convenience are left out if the program lacks them, with a warning.',
  'driver.versions.too-old':
    'A program that cannot do what is asked of it is refused as too old, with its version and what it lacks.',
  'driver.versions.interrupt':
    'An interrupted turn of any version is reported as interrupted, not as an error.',
  'driver.versions.fork':
    'A version that does not accept an id for a fork forks under an id that it chooses.',

  // More
  'driver.budget.limit': 'The program stops spending at the configured budget.',
  'driver.budget.warnings': 'The driver warns at 50, 80 and 95 percent of the budget.',
  'driver.agents.custom': 'Custom agents with their own roles are passed to the program.',
  'driver.session.fork': 'A conversation can be forked: both continue, each with its own id.',
  'driver.session.resume': 'A conversation continues in a new process and remembers what was said before.',
  'driver.end-to-end': 'The whole path from a prompt to its events works with the real program.',
});
