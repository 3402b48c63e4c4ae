import type { PushedSection, PushedTool, RegistrySkeletonSection, RegistryTool } from '@platform/contracts';
import { sha256 } from '@platform/platform';
import { AppErrors } from '../apps/apps.errors.js';

/** A manifest as it is stored and served. */
export interface ManifestText {
  tools: string;
  sections: string;
}

export function toManifestText(tools: PushedTool[], sections: PushedSection[]): ManifestText {
  return { tools: JSON.stringify(tools.map(toTool)), sections: JSON.stringify(sections.map(toSection)) };
}

export const sha256Of = (version: string, { tools, sections }: ManifestText): Buffer =>
  sha256(`${version}\n${tools}\n${sections}`);

const toTool = (tool: PushedTool): RegistryTool => ({
  name: tool.name,
  description: tool.description ?? '',
  action_type: tool.action_type ?? 'destructive',
  params_schema: tool.params_schema ?? { type: 'object' },
  return_schema: tool.return_schema ?? null,
  required_scopes: tool.required_scopes ?? ['*'],
  ...(tool.activity !== undefined && { activity: tool.activity }),
  ...(tool.domains !== undefined && { domains: tool.domains }),
});

function toSection(section: PushedSection, at: number): RegistrySkeletonSection {
  const section_name = section.section_name ?? section.name;
  if (typeof section_name !== 'string') throw AppErrors.sectionNameMissing(at);
  return {
    section_name,
    refresh_activity: section.refresh_activity,
    alert_activity: section.alert_activity ?? null,
    ttl: section.ttl,
    alert_on_change: section.alert_on_change ?? false,
  };
}
