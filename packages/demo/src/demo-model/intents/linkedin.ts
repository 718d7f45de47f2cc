// LinkedIn: posting, publishing a preview by its code where nobody can be asked for permission, and reading comments.
import { type ReplyPart, sayInWords } from '../../anthropic/reply.ts';
import type { Intent } from '../intent.ts';
import { bullets, sorry } from '../phrasing.ts';
import { unquote } from '../reading.ts';
import type { DoneCall, Scene } from '../scene.ts';
import { call, lastCall } from '../tool-calls.ts';

const publish: Intent = {
  name: 'publish what was previewed',
  example: 'publish ABC123',
  needs: [['linkedin_post']],
  next(scene) {
    const code = /^\s*publish\s+([A-Z0-9]{6})\b/i.exec(scene.said)?.[1]?.toUpperCase();
    if (code === undefined) return undefined;
    const previewed = scene.everDone.findLast((done) => done.result.includes(`publish ${code}`));
    if (previewed === undefined) return [sayInWords("I haven't shown you a preview with that code.")];
    const done = lastCall(scene, previewed.name);
    return done === undefined ? [call(scene, previewed.name, previewed.input)] : report(done);
  },
};

const post: Intent = {
  name: 'post on LinkedIn',
  example: 'Post on LinkedIn: Our seed swap is on 21 February',
  needs: [['linkedin_post']],
  next(scene) {
    const text =
      /\b(?:post|publish|share|write)\b(?: this)? (?:on|to) linkedin\b[\s:,]*(?:that )?(.+)/is.exec(
        scene.said,
      )?.[1];
    if (text === undefined) return undefined;
    const done = lastCall(scene, 'linkedin_post');
    return done === undefined ? [call(scene, 'linkedin_post', { text: unquote(text) })] : report(done);
  },
};

const readComments: Intent = {
  name: 'read comments on LinkedIn',
  example: 'Read the comments on my LinkedIn post',
  needs: [['linkedin_read_comments']],
  next(scene) {
    if (!/\bcomments?\b.*\b(linkedin|post)\b|\blinkedin\b.*\bcomments\b/is.test(scene.said)) return undefined;
    const urn = postUrn(scene);
    if (urn === undefined)
      return [sayInWords('Which post do you mean? Give me its URN, or post something first.')];
    const read = lastCall(scene, 'linkedin_read_comments');
    if (read === undefined) return [call(scene, 'linkedin_read_comments', { post_urn: urn })];
    if (read.failed) return [sorry("I couldn't read the comments", read)];
    const comments = [...read.result.matchAll(/^urn:li:comment:\S+ \(.*\):\n(.+)$/gm)].map(
      (match) => match[1] ?? '',
    );
    if (comments.length === 0) return [sayInWords('There are no comments yet.')];
    return [sayInWords(`Here are the comments:\n\n${bullets(comments)}`)];
  },
};

export const linkedInIntents: readonly Intent[] = [publish, readComments, post];

function report(done: DoneCall): readonly ReplyPart[] {
  if (done.failed) return [sorry("I couldn't publish it", done)];
  const code = /"publish ([A-Z0-9]{6})"/.exec(done.result)?.[1];
  if (code === undefined) return [sayInWords(`Done. ${done.result}`)];
  const text = String(done.input['text']).replaceAll('\n', '\n> ');
  return [
    sayInWords(
      `Nothing is published yet. This is the post:\n\n> ${text}\n\nTo publish it, reply “publish ${code}”.`,
    ),
  ];
}

/** The post that the person named, or the last one published in this conversation. */
function postUrn(scene: Scene): string | undefined {
  const urn = /urn:li:(?:share|ugcPost|activity):\d+/;
  const named = urn.exec(scene.said)?.[0];
  const posted = scene.everDone.findLast((done) => done.result.startsWith('Posted to LinkedIn'));
  return named ?? urn.exec(posted?.result ?? '')?.[0];
}
