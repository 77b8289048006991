{{/* What names of resources begin with. */}}
{{- define "custody-mirror.release" -}}
{{ .Release.Name | replace "." "-" }}
{{- end -}}

{{/*
The account in names of resources and in a label. An account may have letters and characters that those may not: then, and where
the whole would be too long, it ends in a hash of the account.
*/}}
{{- define "custody-mirror.accountName" -}}
{{- $account := .entry.account -}}
{{- $name := $account | lower | replace "_" "-" | replace "." "-" | trimSuffix "-" -}}
{{- $room := sub 63 (len (printf "%s-run-" (include "custody-mirror.release" .root))) | int -}}
{{- if .entry.name -}}
{{ .entry.name }}
{{- else if and (eq $name $account) (le (len $name) $room) -}}
{{ $name }}
{{- else -}}
{{ printf "%s-%s" ($name | trunc (sub $room 7 | int) | trimSuffix "-") ($account | sha256sum | trunc 6) }}
{{- end -}}
{{- end -}}

{{/* The file of checkpoints of an account, in the claim. */}}
{{- define "custody-mirror.checkpointsFile" -}}
{{ (.sealCheckpoints).file | default .account }}
{{- end -}}

{{/* By these a selector finds pods: dict root, component, accountName (none for all of the component). */}}
{{- define "custody-mirror.selector" -}}
app.kubernetes.io/name: {{ .root.Chart.Name }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
{{- with .component }}
app.kubernetes.io/component: {{ . }}
{{- end }}
{{- with .accountName }}
custody-mirror/account: {{ . | quote }}
{{- end }}
{{- end -}}

{{/* The selector's labels and those that change. */}}
{{- define "custody-mirror.labels" -}}
{{ include "custody-mirror.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end -}}

{{/* Variables by name, from a list of maps of which later ones go before. A number stays as it was written. */}}
{{- define "custody-mirror.variables" -}}
{{- $all := dict -}}
{{- range $from := . }}
  {{- range $name, $value := $from }}
    {{- $_ := set $all $name (kindIs "string" $value | ternary $value (toJson $value)) }}
  {{- end }}
{{- end -}}
{{- toYaml $all -}}
{{- end -}}

{{/*
A pod of the command: dict root, command, secrets (references by the variable that reads each), resources, of what goes on running
configMap and selector, and of what seals its history checkpoints (the directory at which the claim is mounted, and the claim).
*/}}
{{- define "custody-mirror.podSpec" -}}
{{- $directory := "/run/secrets/custody-mirror" -}}
{{- $values := .root.Values -}}
# It asks nothing of the cluster.
automountServiceAccountToken: false
enableServiceLinks: false
# It stops within ten seconds, after HTTP_DRAIN_MS.
terminationGracePeriodSeconds: {{ add 20 (div (int (get (.config | default "" | fromYaml) "HTTP_DRAIN_MS")) 1000) }}
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  # Lets it read the files of the secrets.
  fsGroup: 1000
  seccompProfile:
    type: RuntimeDefault
{{- with $values.podSpec }}
{{ toYaml . }}
{{- end }}
{{- with .selector }}
topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels:
        {{- . | nindent 8 }}
{{- else }}
restartPolicy: Never
{{- end }}
containers:
  - name: custody-mirror
    image: {{ printf "%s:%s" $values.image.repository $values.image.tag | quote }}
    args: [{{ .command }}]
    {{- with .configMap }}
    envFrom:
      - configMapRef:
          name: {{ . }}
    {{- end }}
    env:
      {{- range $variable, $reference := .secrets }}
      {{- if $reference.secret }}
      - name: {{ $variable }}_FILE
        value: {{ $directory }}/{{ $variable | lower | replace "_" "-" }}
      {{- end }}
      {{- end }}
      {{- if $values.caCertificates.configMap }}
      - name: NODE_EXTRA_CA_CERTS
        value: {{ $directory }}/ca.crt
      {{- end }}
      {{- range $name, $value := .variables }}
      - name: {{ $name }}
        value: {{ $value | quote }}
      {{- end }}
    {{- if .selector }}
    ports:
      - name: http
        containerPort: 8787
      - name: probes
        containerPort: 8789
    # Migrations may take their time at the first start of a new version; until then there is no other verdict.
    startupProbe:
      httpGet:
        path: /healthz
        port: probes
      periodSeconds: 5
      failureThreshold: 120
    livenessProbe:
      httpGet:
        path: /healthz
        port: probes
      periodSeconds: 15
      timeoutSeconds: 5
      failureThreshold: 4
    readinessProbe:
      httpGet:
        path: /readyz
        port: probes
      periodSeconds: 10
      timeoutSeconds: 5
    {{- end }}
    resources:
      {{- toYaml .resources | nindent 6 }}
    securityContext:
      allowPrivilegeEscalation: false
      readOnlyRootFilesystem: true
      capabilities:
        drop: [ALL]
    volumeMounts:
      - name: secrets
        mountPath: {{ $directory }}
        readOnly: true
      {{- with .checkpoints }}
      - name: checkpoints
        mountPath: {{ .directory }}
      {{- end }}
volumes:
  - name: secrets
    projected:
      defaultMode: 288 # 0440
      sources:
        {{- range $variable, $reference := .secrets }}
        {{- if $reference.secret }}
        - secret:
            name: {{ $reference.secret }}
            items:
              - key: {{ $reference.key | quote }}
                path: {{ $variable | lower | replace "_" "-" }}
        {{- end }}
        {{- end }}
        {{- with $values.caCertificates }}
        {{- if .configMap }}
        - configMap:
            name: {{ .configMap }}
            items:
              - key: {{ .key | quote }}
                path: ca.crt
        {{- end }}
        {{- end }}
  {{- with .checkpoints }}
  - name: checkpoints
    persistentVolumeClaim:
      claimName: {{ .claim }}
  {{- end }}
{{- end -}}

{{/* A template of pods that run: as podSpec, with variables, labels. */}}
{{- define "custody-mirror.podTemplate" -}}
metadata:
  labels:
    {{- .labels | nindent 4 }}
    custody-mirror/metrics: 'true'
  annotations:
    # Pods read their variables when they start: others make new pods.
    checksum/config: {{ .config | sha256sum }}
    # For a Prometheus that finds pods by these.
    prometheus.io/scrape: 'true'
    prometheus.io/port: '8787'
    prometheus.io/path: /metrics
spec:
  {{- include "custody-mirror.podSpec" . | nindent 2 }}
{{- end -}}

{{/* Egress that every pod needs: names, and the database. */}}
{{- define "custody-mirror.egress" -}}
- ports:
    - port: 53
      protocol: UDP
    - port: 53
      protocol: TCP
- ports:
    {{- range .Values.networkPolicy.database.ports }}
    - port: {{ . }}
      protocol: TCP
    {{- end }}
  {{- with .Values.networkPolicy.database.to }}
  to:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end -}}
