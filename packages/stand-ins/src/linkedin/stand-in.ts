// LinkedIn for tests: the loopback service, with faults, refused consent, revoked tokens and a record of calls.
import {
  type FeedComment,
  type LinkedInPost,
  type LinkedInRefusal,
  type LinkedInRequest,
  type LinkedInService,
  type LinkedInServiceOptions,
  startLinkedInService,
} from '@parley/demo/services';

export type LinkedInStandInOptions = Omit<LinkedInServiceOptions, 'consents' | 'intercept'>;

export type LinkedInStandIn = LinkedInService & {
  readonly posts: readonly LinkedInPost[];
  readonly comments: readonly FeedComment[];
  /** The last calls of the REST API; bounded. */
  readonly requests: readonly LinkedInRequest[];
  /** Another person comments. */
  addComment(postUrn: string, actor: string, text: string): FeedComment;
  /** Answers the next call with this status, in LinkedIn's words. */
  failNext(status: number, headers?: Readonly<Record<string, string>>): void;
  /** The member says no on the consent page from now on. */
  refuseConsent(): void;
  revokeAccess(): void;
  revokeRefresh(): void;
  [Symbol.asyncDispose](): Promise<void>;
};

const maxRequests = 1_000;

export async function startLinkedInStandIn(options: LinkedInStandInOptions = {}): Promise<LinkedInStandIn> {
  const requests: LinkedInRequest[] = [];
  const failures: LinkedInRefusal[] = [];
  let consents = true;
  const service = await startLinkedInService({
    ...options,
    consents: () => consents,
    intercept(request) {
      if (requests.push(request) > maxRequests) requests.shift();
      return failures.shift();
    },
  });
  const { feed, members } = service;
  return {
    ...service,
    posts: feed.posts,
    comments: feed.comments,
    requests,
    addComment: (postUrn, actor, text) => feed.comment(postUrn, actor, text),
    failNext: (status, headers = {}) => void failures.push({ status, headers }),
    refuseConsent: () => {
      consents = false;
    },
    revokeAccess: () => members.revokeAccess(),
    revokeRefresh: () => members.revokeRefresh(),
    [Symbol.asyncDispose]: () => service.close(),
  };
}
