{{- define "gateway.labels" -}}
app.kubernetes.io/name: vendor-gateway
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "gateway.pod" -}}
automountServiceAccountToken: false
# Otherwise a Service named temporal sets TEMPORAL_PORT to tcp://…, and the process does not start.
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  # The user "node" of the image.
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  seccompProfile: { type: RuntimeDefault }
{{- with .Values.imagePullSecrets }}
imagePullSecrets: {{ toJson . }}
{{- end }}
volumes:
  - name: tmp
    emptyDir: {}
  {{- with .Values.databaseCaSecret }}
  - name: database-ca
    secret: { secretName: {{ . }}, items: [{ key: ca.crt, path: ca.crt }] }
  {{- end }}
{{- end }}

{{- /* The key ring of the API. The gateway refuses a ring that all users of the machine can read. */}}
{{- define "gateway.keysVolume" -}}
- name: keys
  secret: { secretName: {{ .Values.api.keysSecret }}, defaultMode: 0440 }
{{- end }}

{{- define "gateway.container" -}}
image: {{ printf "%s:%s" .Values.image.repository .Values.image.tag | quote }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
volumeMounts:
  - { name: tmp, mountPath: /tmp }
  {{- if .Values.databaseCaSecret }}
  - { name: database-ca, mountPath: /etc/database-ca, readOnly: true }
  {{- end }}
{{- end }}

{{- define "gateway.env" -}}
- { name: NODE_ENV, value: production }
- { name: HOST, value: 0.0.0.0 }
- { name: METRICS_HOST, value: 0.0.0.0 }
{{- if .Values.databaseCaSecret }}
- { name: NODE_EXTRA_CA_CERTS, value: /etc/database-ca/ca.crt }
{{- end }}
{{- range $name, $value := .Values.config }}
- { name: {{ $name }}, value: {{ include "gateway.text" $value }} }
{{- end }}
{{- end }}

{{- /* A value as a quoted text. Helm writes the number 1000000 as 1e+06, which no variable takes. */}}
{{- define "gateway.text" -}}
{{- if kindIs "string" . }}{{ . | quote }}{{ else }}{{ toJson . | quote }}{{ end }}
{{- end }}

{{- /* The Secret of a process. That of a sandbox has another name than that of Production. */}}
{{- define "gateway.secret" -}}
{{- $environment := .root.Values.config.GATEWAY_ENVIRONMENT | default "Production" }}
{{- $default := printf "vendor-gateway-%s" .of }}
{{- if eq $environment "Sandbox" }}
  {{- $default = printf "vendor-gateway-sandbox-%s" .of }}
  {{- if eq (.root.Values.config.TEMPORAL_NAMESPACE | default "default") "default" }}
    {{- fail "A sandbox needs a Temporal namespace of its own: set config.TEMPORAL_NAMESPACE." }}
  {{- end }}
{{- end }}
{{- index .root.Values.secrets .of | default $default }}
{{- end }}

{{- define "gateway.spread" -}}
topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels:
        {{- include "gateway.labels" .root | nindent 8 }}
        app.kubernetes.io/component: {{ .component }}
{{- end }}
