// The requests of the control protocol that hosts use most, by name.
import { ClaudeCliError } from '../errors.ts';
import { type PermissionMode, permissionModes } from '../flags/options.ts';
import type { ControlAnswer, ControlFields, RequestOptions } from './control-channel.ts';

export abstract class ControlRequests {
  abstract request(subtype: string, fields?: ControlFields, options?: RequestOptions): Promise<ControlAnswer>;

  /** Stops the running turn; its `result` still arrives. */
  interrupt(options?: RequestOptions): Promise<ControlAnswer> {
    return this.request('interrupt', {}, options);
  }

  setModel(model: string, options?: RequestOptions): Promise<ControlAnswer> {
    return this.request('set_model', { model }, options);
  }

  /** Checks the mode because the program accepts any word, and what it then allows is undefined. */
  setPermissionMode(mode: PermissionMode, options?: RequestOptions): Promise<ControlAnswer> {
    if (!permissionModes.includes(mode)) {
      const known = permissionModes.join(', ');
      return Promise.reject(
        new ClaudeCliError('invalid_input', `The permission mode must be one of ${known}.`),
      );
    }
    return this.request('set_permission_mode', { mode }, options);
  }

  getContextUsage(options?: RequestOptions): Promise<ControlAnswer> {
    return this.request('get_context_usage', {}, options);
  }

  /**
   * Restores the files that the program's tools wrote to how they were at this prompt. `dryRun` only says what would
   * happen. Needs the variable `CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING`; old versions refuse it.
   */
  rewindFiles(
    prompt: string,
    { dryRun = false, ...options }: RequestOptions & { readonly dryRun?: boolean } = {},
  ): Promise<ControlAnswer> {
    return this.request('rewind_files', { user_message_id: prompt, dry_run: dryRun }, options);
  }

  getMcpStatus(options?: RequestOptions): Promise<ControlAnswer> {
    return this.request('mcp_status', {}, options);
  }
}
