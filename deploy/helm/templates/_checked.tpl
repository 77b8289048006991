{{/* Refuses values that cannot work, all faults at once. What a schema can check is in values.schema.json. */}}
{{- define "custody-mirror.checked" -}}
{{- $root := . -}}
{{- $faults := list -}}
{{- $release := include "custody-mirror.release" . -}}
{{- if not (regexMatch "^[a-z][a-z0-9-]{0,39}$" $release) }}
  {{- $faults = append $faults (printf "release %s: names of its resources begin with it: give it a letter first, and 40 characters at most" $release) }}
{{- end }}
{{- if not .Values.image.repository }}
  {{- $faults = append $faults "image.repository is missing: name the image as you pushed it, such as registry.example/custody-mirror" }}
{{- end }}
{{- if not .Values.image.tag }}
  {{- $faults = append $faults (printf "image.tag is missing: name the version of the image, such as %s" .Chart.AppVersion) }}
{{- else if not (regexMatch "^[A-Za-z0-9_][A-Za-z0-9._-]{0,127}(@sha256:[0-9a-f]{64})?$" .Values.image.tag) }}
  {{- $faults = append $faults (printf "image.tag is %s, which is not a tag: write one such as %s, and a digest only after it, as in %s@sha256: and 64 hexadecimal digits" .Values.image.tag .Chart.AppVersion .Chart.AppVersion) }}
{{- else if not (regexMatch "[0-9]" .Values.image.tag) }}
  {{- $faults = append $faults (printf "image.tag is %s, which may name another image tomorrow: write a version, such as %s" .Values.image.tag .Chart.AppVersion) }}
{{- end }}
{{- if not .Values.accounts }}
  {{- $faults = append $faults "accounts is empty: list the accounts to mirror, each with account, baseUrl and apiKey" }}
{{- end }}
{{- if gt (int .Values.serve.autoscaling.minReplicas) (int .Values.serve.autoscaling.maxReplicas) }}
  {{- $faults = append $faults "serve.autoscaling.minReplicas is above maxReplicas: raise maxReplicas" }}
{{- end }}
{{- $references := list
  (dict "at" "databaseUrl" "of" .Values.databaseUrl "required" true "holds" "the address of the database")
  (dict "at" "httpToken" "of" .Values.httpToken "holds" "the token of the operator")
  (dict "at" "httpsProxy" "of" .Values.httpsProxy "holds" "the address of the proxy")
  (dict "at" "serve.databaseUrl" "of" .Values.serve.databaseUrl "holds" "the address of the database")
  (dict "at" "serve.readersDatabaseUrl" "of" .Values.serve.readersDatabaseUrl "holds" "the address of the database") -}}
{{- $configs := list (dict "at" "config" "of" .Values.config) (dict "at" "serve.config" "of" .Values.serve.config) -}}
{{- $entries := dict -}}
{{- $names := dict -}}
{{- $keys := dict -}}
{{- $sealed := dict -}}
{{- range $index, $entry := .Values.accounts }}
  {{- $at := printf "accounts[%d]" $index }}
  {{- if $entry.account }}
    {{- $at = printf "account %s" $entry.account }}
    {{- $other := get $entries $entry.account }}
    {{- $name := printf "%s-run-%s" $release (include "custody-mirror.accountName" (dict "root" $root "entry" $entry)) }}
    {{- if and $other (eq ($other.baseUrl | default "") ($entry.baseUrl | default "")) }}
      {{- $faults = append $faults (printf "%s is listed twice, with the same baseUrl: remove one" $at) }}
    {{- else if $other }}
      {{- $faults = append $faults (printf "%s is listed twice, with the baseUrl %s and %s: an account is mirrored from one address; give the second another name in account" $at ($other.baseUrl | default "(none)") ($entry.baseUrl | default "(none)")) }}
    {{- else if hasKey $names $name }}
      {{- $faults = append $faults (printf "%s: its resources would be named %s, as those of account %s: give one of them another name" $at $name (get $names $name)) }}
    {{- else if gt (len $name) 63 }}
      {{- $faults = append $faults (printf "%s: its resources would be named %s, which is longer than 63 characters: shorten its name" $at $name) }}
    {{- end }}
    {{- $_ := set $entries $entry.account $entry }}
    {{- $_ := set $names $name $entry.account }}
  {{- else }}
    {{- $faults = append $faults (printf "%s: account is missing: name the account in the mirror (CUSTODY_ACCOUNT)" $at) }}
  {{- end }}
  {{- if not $entry.baseUrl }}
    {{- $faults = append $faults (printf "%s: baseUrl is missing: give the base address of its custody service (CUSTODY_BASE_URL)" $at) }}
  {{- else if not (hasPrefix "https://" $entry.baseUrl) }}
    {{- $faults = append $faults (printf "%s: baseUrl must begin with https://: it is %s" $at $entry.baseUrl) }}
  {{- end }}
  {{- if and ($entry.apiKey).secret ($entry.apiKey).key }}
    {{- $key := printf "%s %s %s" $entry.baseUrl $entry.apiKey.secret $entry.apiKey.key }}
    {{- $other := get $keys $key | default $at }}
    {{- if ne $other $at }}
      {{- $faults = append $faults (printf "%s has the baseUrl and the apiKey of %s, and would mirror the same: name the key of each" $at $other) }}
    {{- end }}
    {{- $_ := set $keys $key $at }}
  {{- end }}
  {{- if and ($entry.sealKey).secret ($entry.sealKey).key }}
    {{- $key := printf "key %s %s" $entry.sealKey.secret $entry.sealKey.key }}
    {{- with get $sealed $key }}
      {{- $faults = append $faults (printf "%s has the sealKey of %s, and a key signs the history of one account: make another one" $at .) }}
    {{- end }}
    {{- $_ := set $sealed $key $at }}
  {{- end }}
  {{- with $entry.sealCheckpoints }}
    {{- if not ($entry.sealKey | default dict) }}
      {{- $faults = append $faults (printf "%s: sealCheckpoints is set without sealKey, and without a key nothing is sealed: set both" $at) }}
    {{- end }}
    {{- if .claim }}
      {{- $file := printf "%s of the claim %s" (include "custody-mirror.checkpointsFile" $entry) .claim }}
      {{- with get $sealed $file }}
        {{- $faults = append $faults (printf "%s: sealCheckpoints is the file %s, as that of %s: name another file" $at $file .) }}
      {{- end }}
      {{- $_ := set $sealed $file $at }}
    {{- else }}
      {{- $faults = append $faults (printf "%s: sealCheckpoints.claim is missing: name the PersistentVolumeClaim that holds its checkpoints" $at) }}
    {{- end }}
  {{- end }}
  {{- $references = append $references (dict "at" (printf "%s: apiKey" $at) "of" $entry.apiKey "required" true "holds" "its viewer key") }}
  {{- $references = append $references (dict "at" (printf "%s: sealKey" $at) "of" $entry.sealKey "holds" "the key that signs its history") }}
  {{- $configs = append $configs (dict "at" (printf "%s: config" $at) "of" $entry.config) }}
{{- end }}
{{- range $references }}
  {{- $given := .of | default dict }}
  {{- if or .required $given.secret $given.key }}
    {{- if not $given.secret }}
      {{- $faults = append $faults (printf "%s.secret is missing: name the Secret that holds %s" .at .holds) }}
    {{- end }}
    {{- if not $given.key }}
      {{- $faults = append $faults (printf "%s.key is missing: name the key of that Secret under which %s stands" .at .holds) }}
    {{- end }}
  {{- end }}
{{- end }}
{{- range $monitor := list "podMonitor" "serviceMonitor" }}
  {{- if and (index $.Values $monitor).enabled (not ($.Values.httpToken).secret) }}
    {{- $faults = append $faults (printf "%s.enabled is set without httpToken, and metrics need the token: name its Secret in httpToken" $monitor) }}
  {{- end }}
{{- end }}
{{- if and .Values.podMonitor.enabled .Values.serviceMonitor.enabled }}
  {{- $faults = append $faults "podMonitor.enabled and serviceMonitor.enabled are both set, and every pod would be asked twice: set one" }}
{{- end }}
{{- if and .Values.ingress.enabled (or (not .Values.ingress.host) (not .Values.ingress.tlsSecret)) }}
  {{- $faults = append $faults "ingress.enabled is set without host or tlsSecret: name the host, and the Secret with its certificate, because keys and figures must not travel unencrypted" }}
{{- end }}
{{- if ne (empty .Values.caCertificates.configMap) (empty .Values.caCertificates.key) }}
  {{- $faults = append $faults "caCertificates has one of configMap and key: set both" }}
{{- end }}
{{- $elsewhere := dict
  "CUSTODY_ACCOUNT" "set account of an entry of accounts"
  "CUSTODY_BASE_URL" "set baseUrl of an entry of accounts"
  "CUSTODY_API_KEY" "it is a secret: name its Secret in apiKey of the account"
  "DATABASE_URL" "it is a secret: name its Secret in databaseUrl"
  "HTTP_DATABASE_URL" "it is a secret: name its Secret in serve.readersDatabaseUrl"
  "HTTP_TOKEN" "it is a secret: name its Secret in httpToken"
  "SEAL_KEY" "it is a secret: name its Secret in sealKey of the account"
  "SEAL_CHECKPOINTS" "set sealCheckpoints of the account"
  "HTTP_ALLOWED_HOSTS" "set serve.allowedHosts"
  "HTTP_SERVE" "writers serve probes, and serve the rest: remove it"
  "HTTP_HOST" "the image sets it: remove it"
  "HTTP_PORT" "the image sets it: remove it"
  "HTTP_PROBES_PORT" "the image sets it: remove it"
  "NODE_EXTRA_CA_CERTS" "set caCertificates" -}}
{{- range $config := $configs }}
  {{- range $name, $value := $config.of }}
    {{- with get $elsewhere (trimSuffix "_FILE" $name) }}
      {{- $faults = append $faults (printf "%s.%s: %s" $config.at $name .) }}
    {{- end }}
    {{- if and (regexMatch "(?i)^https?_proxy$" $name) (contains "@" (toString $value)) }}
      {{- $faults = append $faults (printf "%s.%s holds a password: name its Secret in httpsProxy" $config.at $name) }}
    {{- end }}
    {{- if kindIs "bool" $value }}
      {{- $faults = append $faults (printf "%s.%s is a truth value in YAML: write it in quotes, such as 'off'" $config.at $name) }}
    {{- end }}
  {{- end }}
{{- end }}
{{- if $faults }}
  {{- fail (printf "\n%s" (join "\n" $faults)) }}
{{- end }}
{{- end -}}
