import type { HostFact } from '@sallyport/protocol';
import { hostOfPlace, hostsInText, isTelling } from './host-text.ts';

/** Names of variables and settings that end like this say where a program goes: `HTTPS_PROXY`, `http.proxy`, `PGHOST`. */
const PLACES =
  /(?:proxy|host|hostaddr|hostname|addr|address|url|uri|endpoints?|servers?|registry|master|brokers?|nodes?)$/i;
/** A name that is no address counts with these: nothing else is put there. */
const HOSTS = /proxy$|^(?:GH_HOST|GITLAB_HOST|PGHOST|PGHOSTADDR|MYSQL_HOST|DOCKER_HOST|KUBERNETES_\w+)$/i;
/** These list hosts that are not to be gone through. */
const EXCLUDED = /no_?proxy$/i;

/** The hosts that a variable or a setting of a program names. */
export function hostsInSetting(name: string, value: string): readonly HostFact[] {
  if (value === '' || EXCLUDED.test(name)) return [];
  const spelled = hostsInText(value);
  if (!PLACES.test(name)) return spelled;
  const places = value.split(/[\s,|;]+/).flatMap((place) => {
    // A number alone counts something.
    if (/^\d{1,5}$/.test(place)) return [];
    const hosts = hostOfPlace(place);
    return HOSTS.test(name) && /[.:]/.test(place) ? hosts : hosts.filter(isTelling);
  });
  return [...spelled, ...places];
}

const ASSIGNMENT = /^([A-Za-z_][\w.-]*)=(.*)$/s;

/** The same for `NAME=value`; nothing for any other word. */
export function hostsInAssignment(word: string): readonly HostFact[] {
  const [, name = '', value = ''] = ASSIGNMENT.exec(word) ?? [];
  return hostsInSetting(name, value);
}
