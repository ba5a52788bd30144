#!/usr/bin/env node
// What the name `sallyport` starts, in the sources and in the built package. ES5 that any Node from 18 on runs: it looks for
// the Node that came along, or another that is new enough, and starts the program on it; else it says in one sentence why not.
/* biome-ignore-all lint: an older Node reads this file */
'use strict';
var fs = require('fs');
var path = require('path');

var NEEDED = 26;
var about = require('../package.json');
var args = process.argv.slice(2);
var built = path.join(__dirname, '../lib');

if (args.length === 1 && (args[0] === '--version' || args[0] === '-V')) {
  process.stdout.write(about.version + '\n');
} else if (!isWhole()) {
  fail('it is installed only in part: install it again with `' + install() + '`');
} else if (majorOf(process.versions.node) >= NEEDED) {
  startHere();
} else {
  startOn(pinnedNode() || newerNode());
}

function startHere() {
  try {
    keepCompiled();
    if (about.sallyport) require('../lib/main.js');
    else require('../src/main.ts');
  } catch (error) {
    var isOurs = error && (error.code === 'MODULE_NOT_FOUND' || error instanceof SyntaxError);
    if (!isOurs || !about.sallyport) throw error;
    fail('a file of it cannot be read (' + firstLine(error) + '): install it again with `' + install() + '`');
  }
}

// Compiled code is kept for the next time, in the person's own folder: whoever can write there can change what runs, and
// everyone can write to the place that Node would take by itself. From the sources only for `run`, which is typed all day:
// the first `start` would take a third of a second more.
function keepCompiled() {
  if (!about.sallyport && args[0] !== 'run') return;
  var caches = process.env.XDG_CACHE_HOME || '';
  if (caches.charAt(0) !== '/') caches = path.join(process.env.HOME || require('os').homedir(), '.cache');
  require('module').enableCompileCache(path.join(caches, 'sallyport', 'compiled'));
}

function startOn(node) {
  if (node === undefined) {
    return fail(
      'it needs Node ' +
        NEEDED +
        ' or newer, this is Node ' +
        process.versions.node +
        ', and the one that comes with it is not' +
        ' here: install Node ' +
        NEEDED +
        ', or install it again with `' +
        install() +
        '`',
    );
  }
  var child = require('child_process').spawn(node, [__filename].concat(args), { stdio: 'inherit' });
  // A terminal sends Ctrl-C to both of us; what is sent to us alone is handed on.
  var handed = process.stdin.isTTY ? ['SIGTERM', 'SIGHUP'] : ['SIGTERM', 'SIGHUP', 'SIGINT', 'SIGQUIT'];
  ['SIGTERM', 'SIGHUP', 'SIGINT', 'SIGQUIT'].forEach(function (signal) {
    process.on(signal, function () {
      if (handed.indexOf(signal) !== -1) child.kill(signal);
    });
  });
  child.once('error', function (error) {
    fail(
      'its Node `' + node + '` cannot be started (' + error.code + '): install Node ' + NEEDED + ' or newer',
    );
  });
  child.once('exit', function (code, signal) {
    if (signal === null) process.exit(code);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

// The package of this platform, beside us or above us.
function pinnedNode() {
  var names = [
    'node-' + process.platform + '-' + process.arch,
    'node-bin-' + process.platform + '-' + process.arch,
  ];
  for (var at = 0; at < names.length; at += 1) {
    try {
      var node = path.join(path.dirname(require.resolve(names[at] + '/package.json')), 'bin/node');
      if (fs.existsSync(node)) return node;
    } catch (_missing) {
      // Then the next one.
    }
  }
}

// Another `node` in the path.
function newerNode() {
  var folders = (process.env.PATH || '').split(path.delimiter);
  for (var at = 0; at < folders.length; at += 1) {
    var node = path.join(folders[at], 'node');
    if (folders[at].charAt(0) !== '/' || !fs.existsSync(node)) continue;
    var said = require('child_process').spawnSync(node, ['-p', 'process.versions.node'], {
      encoding: 'utf8',
      timeout: 5000,
    });
    if (said.status === 0 && majorOf(said.stdout) >= NEEDED) return node;
  }
}

// The build counts what it put beside the program.
function isWhole() {
  if (!about.sallyport) return true;
  try {
    return fs.readdirSync(built).length === about.sallyport.files;
  } catch (_missing) {
    return false;
  }
}

function install() {
  return about.sallyport ? 'npm install -g sallyport --include=optional' : 'npm ci';
}

function majorOf(version) {
  return Number(String(version).split('.')[0]);
}

function firstLine(error) {
  return String(error.message).split('\n')[0];
}

function fail(why) {
  process.stderr.write('error: sallyport cannot start: ' + why + '\n');
  process.exitCode = 1;
}
