package org.saevhadoop.converters.command;

import java.util.Map;
import java.util.Stack;
import picocli.CommandLine.IParameterPreprocessor;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Lets an option take its optional value only after "=", because the next word may be a path. */
final class AttachedValue implements IParameterPreprocessor {
  @Override
  public boolean preprocess(
      Stack<String> words, CommandSpec command, ArgSpec option, Map<String, Object> info) {
    if (!"=".equals(info.get("separator"))) {
      words.push(((OptionSpec) option).fallbackValue());
    }
    return false;
  }
}
