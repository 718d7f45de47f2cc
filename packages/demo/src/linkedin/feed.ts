// The published posts and their comments.

export type Post = { readonly urn: string; readonly author: string; readonly commentary: string };

export type FeedComment = {
  readonly id: string;
  readonly commentUrn: string;
  readonly actor: string;
  readonly object: string;
  readonly message: { readonly attributes: readonly unknown[]; readonly text: string };
  readonly parentComment?: string;
  readonly created: { readonly actor: string; readonly time: number };
};

const firstId = 7_012_345_678_901_234_560n;

export class Feed {
  readonly posts: Post[] = [];
  readonly comments: FeedComment[] = [];
  #last = firstId;

  /** Returns undefined if the author has already published the same text. */
  publish(author: string, commentary: string): Post | undefined {
    if (this.posts.some((post) => post.author === author && post.commentary === commentary)) return undefined;
    const post = { urn: `urn:li:share:${this.#nextId()}`, author, commentary };
    this.posts.push(post);
    return post;
  }

  comment(object: string, actor: string, text: string, parentComment?: string): FeedComment {
    const id = this.#nextId();
    const comment = {
      id,
      commentUrn: `urn:li:comment:(${object},${id})`,
      actor,
      object,
      message: { attributes: [], text },
      ...(parentComment !== undefined && { parentComment }),
      created: { actor, time: Date.now() },
    };
    this.comments.push(comment);
    return comment;
  }

  /** Whether this post or comment exists. */
  has(urn: string): boolean {
    return this.posts.some((post) => post.urn === urn) || this.comments.some((it) => it.commentUrn === urn);
  }

  /** For a post: its top-level comments; for a comment: its replies. */
  commentsOn(urn: string): readonly FeedComment[] {
    return this.comments.filter((comment) =>
      comment.parentComment === undefined ? comment.object === urn : comment.parentComment === urn,
    );
  }

  #nextId(): string {
    this.#last += 1n;
    return String(this.#last);
  }
}
