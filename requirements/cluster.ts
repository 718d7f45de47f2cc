// Several servers on one database.
import { promisesOf } from './requirement.ts';

export const cluster = promisesOf(8, {
  'cluster.any-server.prompt': 'A prompt can be sent to any server, and runs on the owner of its session.',
  'cluster.any-server.http':
    'Prompts, events, decisions, the queue, settings and deletion reach the owner of a session through every server.',
  'cluster.any-server.app':
    'Two servers on one database answer in the same session, list it, and show the same events.',
  'cluster.takeover.readers-continue':
    'When a server stops answering, another one ends its turns as interrupted, runs the waiting prompts, and readers continue after their last number.',
  'cluster.takeover.hanging':
    'Calls and streams to a hanging server end as soon as its lease expires, so that they continue on another server.',
  'cluster.fencing.late-writes': 'A server that was paused and wakes up late changes nothing.',
  'cluster.fencing.clock':
    'A server that was paused asks the clock whether it still owns a session before it runs a turn.',
  'cluster.fencing.same-server':
    'What belongs to an earlier tenure is refused, even if the same server owns the session again.',
  'cluster.fencing.batch': 'A session that has moved does not keep the events of others from being stored.',
  'cluster.fencing.database': 'The database checks the tenure in the same transaction as the write.',
  'cluster.registry.one-owner':
    'A session has one owner until it is released or the lease of its owner expires, however many servers claim it.',
  'cluster.registry.abandoned': 'Sessions that have prompts to answer but no owner are found.',
  'cluster.machine.pinned': 'A Claude Code session stays on the machine that has its transcript.',
  'cluster.machine.any-server':
    'A Claude Code session can be created, watched, prompted, changed and deleted through every server, with the same bytes.',
  'cluster.machine.terminal': 'The terminal of a Claude Code session works through every server.',
  'cluster.machine.list': 'Every server lists and searches the Claude Code sessions of all machines.',
  'cluster.machine.offline':
    'Sessions of a machine where no server runs stay in the list, and using one gets a clear message.',
  'cluster.machine.transcripts': 'What servers read from transcripts is stored separately for each machine.',
  'cluster.machine.delete':
    'A Claude Code session that is deleted or archived through a server without its transcript is deleted or archived on the machine that has it.',
  'cluster.notifications': 'Notifications reach people through every server, and resume on another one.',
  'cluster.presence':
    'Every server knows who is looking at a session on any of them: pages count everywhere, and nobody is notified of what they see.',
  'cluster.bots.move':
    'Bots run on one server at a time and move when it stops or is killed; every message is answered once.',
  'cluster.bots.status': 'Every server reports the state of the bots, wherever they run.',
  'cluster.sweeper':
    'Servers look for sessions without an owner twice a second, and keep going when the database fails.',
  'cluster.drain.hands-over': 'A server that stops hands its sessions over at once.',
  'cluster.drain.app': 'When a server stops, another one continues its sessions and streams.',
  'cluster.drain.streams': 'A stream continues without a gap when its session moves to another server.',
  'cluster.command':
    '`npm run cluster` starts PostgreSQL, three servers and a proxy on one machine, and Ctrl-C leaves nothing behind.',
  'cluster.deploy':
    'The examples for compose, Caddy and nginx fit the settings, the port, the limits and the readiness check of the server.',
  'cluster.simulation':
    'Whatever fails, a session has one owner, no number has two meanings, every turn ends once, no acknowledged prompt is lost and no tool runs twice.',
  'cluster.simulation.notices': 'The simulation notices if late writes are not refused.',
  'cluster.client.silence':
    'A client whose event stream falls silent connects again and continues after its last event.',
  'cluster.faults':
    'Servers that are killed, paused or restarted, and a database that restarts or drops connections, lose no acknowledged prompt, run no turn twice, and interrupt no stream for long.',
  'cluster.doctor.servers':
    'The doctor checks the clocks, the connections between all servers, their secret, and the folder of notes.',
  'cluster.drain.readyz':
    'A server that is stopping first reports it to load balancers, and keeps answering until it is done.',
  'cluster.secret.missing':
    'A second server on a database does not start unless all servers have an address and a secret.',
  'cluster.secret.wrong': 'If servers have different secrets, the message says what to set.',
  'cluster.secret.never-from-outside':
    'A request in the name of a server is accepted only with the right secret, once, for its own path and for a short time.',
  'cluster.secret.scope': 'A request that was passed on can do no more than the credentials behind it.',
  'cluster.secret.address':
    'The audit log has the person’s address, even if another server passed the request on.',
  'cluster.secret.forwarded-fields': 'Fields that servers send each other are accepted only from servers.',

  // The database
  'cluster.store.messages':
    'A wrong address, password or database, a read-only database, and one of another program or of a newer version each get a message that says what to do, without the password.',
  'cluster.store.reconnects':
    'A broken connection to the database is replaced, and writes under way are neither lost nor done twice.',
  'cluster.store.shared':
    'Servers on one database admit each key once, see what the others changed, and add up what everybody spends.',
  'cluster.store.chats': 'All servers know which chat of a bot is in which session.',
  'cluster.store.fences': 'A write that its fence refuses changes nothing.',
  'cluster.recipes.shared':
    'All servers have the same recipes, in the app and in the tools of assistants, and none of them overwrites what another changed.',

  'cluster.problems.start':
    'A server that can’t use its database does not start, and says why in one message; the doctor says the same.',
  'cluster.problems.secret':
    'A server whose secret differs from that of the others, or that has none, does not start, and says why.',
  'cluster.problems.full-disk':
    'When PostgreSQL’s disk is full, people get a message that says so, and nothing is lost.',
  'cluster.settings.shared': 'A setting that somebody changes in the app takes effect on all servers.',
  'cluster.budgets.exact':
    'Several servers together exceed a budget by at most one request, refuse nothing before it is used up, and don’t wait for a server that has stopped.',
  'cluster.budgets.warning': 'A person gets the warning about a budget once, not once from each server.',
  'cluster.logins.guesses': 'Wrong passwords count on all servers together.',
  'cluster.logins.anywhere': 'A login that begins on one server can end on another.',
  'cluster.logins.ended': 'Logging out on one server ends what the login has open on the others.',
  'cluster.linkedin.shared':
    'Logins at LinkedIn work on all servers, and the database alone does not give them away.',
  'cluster.allowances.move':
    'What a person allowed for a session still applies after it moved to another server.',
  'cluster.numbers.leap':
    'Readers are never so far ahead of the store that a number they have seen could mean something else after a crash, even in very long answers and while the database is down.',

  // From SQLite to PostgreSQL
  'cluster.migrate.everything':
    'parley migrate moves everything that a home has in SQLite to PostgreSQL, and leaves the home unchanged.',
  'cluster.migrate.continues':
    'A move that is interrupted or killed continues where it stopped, and no server starts on the database before it is done.',
  'cluster.migrate.verifies':
    'A move compares every row, and does not finish if one differs, is missing or is extra.',
  'cluster.migrate.refuses':
    'A move refuses a database with other data, a home in use, and a home that was used since the move began.',
  'cluster.migrate.files':
    'A move includes settings of the app and logins at LinkedIn, and lists the logins that stay behind.',
});
