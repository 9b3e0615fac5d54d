package org.saevhadoop.converters;

import org.saevhadoop.format.reader.Tokens;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** The option {@code --tokens}. */
final class TokensOption {
  private TokensOption() {}

  /** What was asked for; a wrong name is an error of the command line. */
  static Tokens parse(CommandSpec spec, String name) {
    try {
      return Tokens.parse(name);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), "--tokens: " + e.getMessage(), e);
    }
  }
}
