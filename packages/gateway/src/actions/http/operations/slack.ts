/** Methods of Slack's Web API. What is not in here and ends in list, info or history reads. */
export const SLACK_OPERATIONS = `
read: admin.conversations.ekm.listOriginalConnectedChannelInfo admin.conversations.search
  admin.roles.listAssignments admin.workflows.search blocks.validate conversations.listConnectInvites
  admin.apps.config.lookup admin.auth.policy.getEntities admin.conversations.getConversationPrefs
  admin.conversations.getCustomRetention admin.conversations.getTeams admin.conversations.lookup
  admin.conversations.restrictAccess.listGroups admin.functions.permissions.lookup admin.usergroups.listChannels
  admin.users.getExpiration admin.users.session.getSettings admin.workflows.permissions.lookup
  agents.conversations.getCanvas agents.conversations.listViews api.test auth.teams.list auth.test bookmarks.list
  bots.info calls.info canvases.sections.lookup chat.getPermalink chat.scheduledMessages.list conversations.history
  conversations.info conversations.list conversations.members conversations.replies dnd.info dnd.teamInfo emoji.list
  files.info files.list files.remote.info files.remote.list migration.exchange pins.list reactions.get reactions.list
  reminders.info reminders.list search.all search.files search.messages slackLists.download.get slackLists.items.info
  slackLists.items.list stars.list team.accessLogs team.billableInfo team.billing.info team.info team.integrationLogs
  team.preferences.list team.profile.get usergroups.list usergroups.users.list users.conversations
  users.discoverableContacts.lookup users.getPresence users.identity users.info users.list users.lookupByEmail
  users.profile.get workflows.featured.list
write comms:external: agents.conversations.archive agents.conversations.create agents.conversations.removeView
  agents.conversations.setCanvasContent agents.conversations.setCommands agents.conversations.setProperties
  agents.conversations.setView agents.sessions.rename agents.sessions.setStatus assistant.threads.setStatus
  assistant.threads.setSuggestedPrompts assistant.threads.setTitle bookmarks.add bookmarks.edit bookmarks.remove
  calls.add calls.end calls.participants.add calls.participants.remove calls.update canvases.create canvases.edit
  chat.appendStream chat.delete chat.deleteScheduledMessage chat.meMessage chat.postEphemeral chat.postMessage
  chat.scheduleMessage chat.startStream chat.stopStream chat.unfurl chat.update conversations.canvases.create
  conversations.close conversations.create conversations.join conversations.leave conversations.mark
  conversations.open conversations.rename conversations.setPurpose conversations.setTopic dialog.open dnd.endDnd
  dnd.endSnooze dnd.setSnooze entity.presentDetails files.comments.delete files.completeUploadExternal files.delete
  files.getUploadURLExternal files.remote.add files.remote.remove files.remote.share files.remote.update files.upload
  functions.completeError functions.completeSuccess pins.add pins.remove reactions.add reactions.remove reminders.add
  reminders.complete reminders.delete slackLists.create slackLists.download.start slackLists.items.create
  slackLists.items.delete slackLists.items.deleteMultiple slackLists.items.update slackLists.update stars.add
  stars.remove users.deletePhoto users.profile.set users.setActive users.setPhoto users.setPresence views.open
  views.publish views.push views.update workflows.featured.add workflows.featured.remove workflows.featured.set
write comms:external critical: admin.analytics.getFile admin.apps.approve admin.apps.clearResolution
  admin.apps.config.set admin.apps.requests.cancel admin.apps.restrict admin.apps.uninstall
  admin.auth.policy.assignEntities admin.auth.policy.removeEntities admin.barriers.create admin.barriers.delete
  admin.barriers.update admin.conversations.archive admin.conversations.bulkArchive admin.conversations.bulkDelete
  admin.conversations.bulkMove admin.conversations.convertToPrivate admin.conversations.convertToPublic
  admin.conversations.create admin.conversations.delete admin.conversations.disconnectShared
  admin.conversations.invite admin.conversations.removeCustomRetention admin.conversations.rename
  admin.conversations.restrictAccess.addGroup admin.conversations.restrictAccess.removeGroup
  admin.conversations.setConversationPrefs admin.conversations.setCustomRetention admin.conversations.setTeams
  admin.conversations.unarchive admin.emoji.add admin.emoji.addAlias admin.emoji.remove admin.emoji.rename
  admin.functions.permissions.set admin.inviteRequests.approve admin.inviteRequests.deny admin.roles.addAssignments
  admin.roles.removeAssignments admin.teams.create admin.teams.settings.setDefaultChannels
  admin.teams.settings.setDescription admin.teams.settings.setDiscoverability admin.teams.settings.setIcon
  admin.teams.settings.setName admin.usergroups.addChannels admin.usergroups.addTeams
  admin.usergroups.removeChannels admin.users.assign admin.users.invite admin.users.remove
  admin.users.session.clearSettings admin.users.session.invalidate admin.users.session.reset
  admin.users.session.resetBulk admin.users.session.setSettings admin.users.setAdmin admin.users.setExpiration
  admin.users.setOwner admin.users.setRegular admin.users.unsupportedVersions.export
  admin.workflows.collaborators.add admin.workflows.collaborators.remove admin.workflows.unpublish
  apps.uninstall apps.user.connection.update canvases.access.delete canvases.access.set canvases.delete
  conversations.acceptSharedInvite conversations.approveSharedInvite conversations.archive
  conversations.declineSharedInvite conversations.externalInvitePermissions.set conversations.invite
  conversations.inviteShared conversations.kick conversations.requestSharedInvite.approve
  conversations.requestSharedInvite.deny conversations.unarchive files.revokePublicURL files.sharedPublicURL
  slackLists.access.delete slackLists.access.set team.externalTeams.disconnect usergroups.create usergroups.disable
  usergroups.enable usergroups.update usergroups.users.update workflows.triggers.permissions.add
  workflows.triggers.permissions.remove workflows.triggers.permissions.set
write secret: apps.connections.open apps.manifest.create apps.manifest.delete apps.manifest.export
  apps.manifest.update apps.manifest.validate auth.revoke oauth.access oauth.v2.access oauth.v2.exchange
  openid.connect.token openid.connect.userInfo rtm.connect rtm.start tooling.tokens.rotate
`;
