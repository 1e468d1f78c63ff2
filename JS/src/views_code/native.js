// The host's half of the collection views, which Swift installs.
export const viewHost = host.views;
