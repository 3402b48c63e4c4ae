import { configFolder } from './config-folder.js';

const HOMES = [() => '/home/ada', () => '/users/ada'];

const nowhere = (): never => {
  throw new Error('ENOENT');
};

it.each<[string, Record<string, string>, NodeJS.Platform, string]>([
  ['at home', {}, 'linux', '/home/ada/.config/platform'],
  ['where XDG_CONFIG_HOME says', { XDG_CONFIG_HOME: '/etc/ada' }, 'linux', '/etc/ada/platform'],
  ['at home where that is empty', { XDG_CONFIG_HOME: '' }, 'linux', '/home/ada/.config/platform'],
  ['at home where that is no absolute path', { XDG_CONFIG_HOME: 'config' }, 'linux', '/home/ada/.config/platform'],
  ['in the library', { XDG_CONFIG_HOME: '/etc/ada' }, 'darwin', '/home/ada/Library/Preferences/platform'],
  ['in the data of applications', { APPDATA: '/data' }, 'win32', '/data/platform/Config'],
  ['in the data of applications at home', { APPDATA: '' }, 'win32', '/home/ada/AppData/Roaming/platform/Config'],
])('logins are kept %s', (_where, env, platform, folder) => expect(configFolder(env, platform, HOMES)).toBe(folder));

it.each<[string, () => string]>([
  ['is not there', nowhere],
  ['is empty', () => ''],
  ['is no absolute path', () => 'home'],
])('a HOME that %s is found in the list of users, if at all', (_what, found) => {
  expect(configFolder({}, 'linux', [found, () => '/users/ada'])).toBe('/users/ada/.config/platform');
  expect(configFolder({}, 'linux', [found, nowhere])).toBeNull();
  expect(configFolder({ XDG_CONFIG_HOME: '/etc/ada' }, 'linux', [found, nowhere])).toBe('/etc/ada/platform');
});
