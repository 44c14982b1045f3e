/// What SARIF 2.1.0 says of the objects that a log of ours holds: the properties that they must
/// have, the types and values that are allowed, and no property that the standard does not name.
///
/// Written from sections 3.13 to 3.54 of the standard, for the part that is used.
enum SARIFSchema {
  static let text = """
    {
      "type": "object", "required": ["version", "runs"], "additionalProperties": false,
      "properties": {
        "$schema": { "type": "string", "pattern": "sarif-schema-2\\\\.1\\\\.0\\\\.json$" },
        "version": { "const": "2.1.0" },
        "runs": { "type": "array", "items": { "$ref": "#/$defs/run" } }
      },
      "$defs": {
        "run": {
          "type": "object", "required": ["tool"], "additionalProperties": false,
          "properties": {
            "tool": {
              "type": "object", "required": ["driver"], "additionalProperties": false,
              "properties": { "driver": { "$ref": "#/$defs/component" } }
            },
            "columnKind": { "enum": ["utf16CodeUnits", "unicodeCodePoints"] },
            "artifacts": {
              "type": "array", "uniqueItems": true,
              "items": {
                "type": "object", "additionalProperties": false,
                "properties": { "location": { "$ref": "#/$defs/artifactLocation" } }
              }
            },
            "invocations": {
              "type": "array",
              "items": {
                "type": "object", "required": ["executionSuccessful"], "additionalProperties": false,
                "properties": {
                  "executionSuccessful": { "type": "boolean" },
                  "toolExecutionNotifications": {
                    "type": "array",
                    "items": {
                      "type": "object", "required": ["message"], "additionalProperties": false,
                      "properties": {
                        "level": { "enum": ["none", "note", "warning", "error"] },
                        "message": {
                          "type": "object", "additionalProperties": false,
                          "properties": { "text": { "type": "string" } }
                        }
                      }
                    }
                  }
                }
              }
            },
            "results": { "type": "array", "items": { "$ref": "#/$defs/result" } }
          }
        },
        "component": {
          "type": "object", "required": ["name"], "additionalProperties": false,
          "properties": {
            "name": { "type": "string" },
            "semanticVersion": { "type": "string", "pattern": "^[0-9]+\\\\.[0-9]+\\\\.[0-9]+" },
            "rules": {
              "type": "array", "uniqueItems": true, "items": { "$ref": "#/$defs/rule" }
            }
          }
        },
        "rule": {
          "type": "object", "required": ["id"], "additionalProperties": false,
          "properties": {
            "id": { "type": "string", "minLength": 1 },
            "shortDescription": { "$ref": "#/$defs/message" },
            "fullDescription": { "$ref": "#/$defs/message" },
            "help": { "$ref": "#/$defs/message" },
            "defaultConfiguration": {
              "type": "object", "additionalProperties": false,
              "properties": { "level": { "$ref": "#/$defs/level" } }
            }
          }
        },
        "level": { "enum": ["none", "note", "warning", "error"] },
        "message": {
          "type": "object", "required": ["text"], "additionalProperties": false,
          "properties": { "text": { "type": "string", "minLength": 1 } }
        },
        "result": {
          "type": "object", "required": ["message"], "additionalProperties": false,
          "properties": {
            "ruleId": { "type": "string" },
            "ruleIndex": { "type": "integer", "minimum": -1 },
            "level": { "$ref": "#/$defs/level" },
            "message": { "$ref": "#/$defs/message" },
            "locations": { "type": "array", "items": { "$ref": "#/$defs/location" } },
            "relatedLocations": {
              "type": "array", "uniqueItems": true, "items": { "$ref": "#/$defs/location" }
            },
            "fixes": { "type": "array", "uniqueItems": true, "items": { "$ref": "#/$defs/fix" } }
          }
        },
        "fix": {
          "type": "object", "required": ["artifactChanges"], "additionalProperties": false,
          "properties": {
            "description": { "$ref": "#/$defs/message" },
            "artifactChanges": {
              "type": "array", "uniqueItems": true, "minItems": 1,
              "items": {
                "type": "object", "required": ["artifactLocation", "replacements"],
                "additionalProperties": false,
                "properties": {
                  "artifactLocation": { "$ref": "#/$defs/artifactLocation" },
                  "replacements": {
                    "type": "array", "minItems": 1, "items": { "$ref": "#/$defs/replacement" }
                  }
                }
              }
            }
          }
        },
        "replacement": {
          "type": "object", "required": ["deletedRegion"], "additionalProperties": false,
          "properties": {
            "deletedRegion": { "$ref": "#/$defs/region" },
            "insertedContent": {
              "type": "object", "additionalProperties": false,
              "properties": { "text": { "type": "string" } }
            }
          }
        },
        "location": {
          "type": "object", "additionalProperties": false,
          "properties": {
            "id": { "type": "integer", "minimum": -1 },
            "message": { "$ref": "#/$defs/message" },
            "physicalLocation": {
              "type": "object", "required": ["artifactLocation"], "additionalProperties": false,
              "properties": {
                "artifactLocation": { "$ref": "#/$defs/artifactLocation" },
                "region": { "$ref": "#/$defs/region" }
              }
            }
          }
        },
        "artifactLocation": {
          "type": "object", "additionalProperties": false,
          "properties": {
            "uri": {
              "type": "string",
              "pattern": "^([A-Za-z0-9._~/-]|%[0-9A-F]{2}|file://)+$"
            },
            "index": { "type": "integer", "minimum": -1 }
          }
        },
        "region": {
          "type": "object", "required": ["startLine"], "additionalProperties": false,
          "properties": {
            "startLine": { "type": "integer", "minimum": 1 },
            "startColumn": { "type": "integer", "minimum": 1 },
            "endLine": { "type": "integer", "minimum": 1 },
            "endColumn": { "type": "integer", "minimum": 1 }
          }
        }
      }
    }
    """
}
