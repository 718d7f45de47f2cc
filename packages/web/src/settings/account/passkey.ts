// Creates passkeys with the browser.
import type { AccountInfo } from '@parley/protocol';
import { useQueryClient } from '@tanstack/react-query';
import { replaceLogin, send } from '../../client.ts';
import { t } from '../../i18n/translate.ts';
import { devicesQuery, protectedPath, useAccountChange } from './account-query.ts';

/** Browsers from before 2025 lack the JSON functions, and insecure pages can't use passkeys at all. */
export function canMakePasskeys({ passkeysWork }: AccountInfo): boolean {
  return (
    passkeysWork && 'PublicKeyCredential' in window && 'parseCreationOptionsFromJSON' in PublicKeyCredential
  );
}

export function passkeysNeed(): string {
  return t(
    'Passkeys need an up-to-date browser and HTTPS, or http://localhost on the machine that runs Parley.',
  );
}

/** Names the passkey after this device. For somebody without an account, it also protects their account. */
export function useAddPasskey({ account }: AccountInfo, next = protectedPath) {
  const queries = useQueryClient();
  return useAccountChange(async () => {
    const options = await send<PublicKeyCredentialCreationOptionsJSON>(
      'POST',
      '/api/account/passkeys/options',
    );
    const response = await make(options);
    const devices = await queries.ensureQueryData(devicesQuery);
    const name = devices.find(({ current }) => current)?.name ?? t('Passkey');
    const add = () => send('POST', '/api/account/passkeys', { name, response });
    await (account ? add() : replaceLogin(add, next));
  });
}

async function make(options: PublicKeyCredentialCreationOptionsJSON): Promise<unknown> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  try {
    const made = await navigator.credentials.create({ publicKey });
    if (made instanceof PublicKeyCredential) return made.toJSON();
  } catch (error) {
    if ((error as Error).name === 'InvalidStateError')
      throw new Error(t('This device already has a passkey for your account.'), { cause: error });
  }
  // Browsers don't say more if somebody cancels.
  throw new Error(t('No passkey was created. Try again, or use a password.'));
}
